import { GRAPHQL_MAX_INT } from 'graphql';
import { SERVICE } from '../entities/permissoes/sistema.ts';

/** Kind of the record that a label shows. */
export type LabelSubject = 'LOTE' | 'LOCAL';

/** The text of a label's QR code: `SII/LOTE/112`, optionally after the address of a page that shows such records. */
export const labelCode = (of: LabelSubject, id: number, address = ''): string =>
  `${address}${SERVICE}/${of}/${id}`;

const CODE = new RegExp(`(?:^|/)${SERVICE}/(LOTE|LOCAL)/([1-9]\\d{0,9})$`, 'i');

/**
 * The id of the record on a label, from the text of its QR code. Labels stay valid when the address changes, so any
 * address may come before the code. Undefined for other texts, and for labels of other kinds of records.
 */
export function labelledId(of: LabelSubject, text: string): number | undefined {
  const [, kind = '', digits = ''] = CODE.exec(text.trim()) ?? [];
  const id = Number(digits);
  return kind.toUpperCase() === of && id <= GRAPHQL_MAX_INT ? id : undefined;
}
