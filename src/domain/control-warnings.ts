import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Registro } from '../entities/registro.ts';
import type { Call } from '../request/call.ts';
import {
  ENTRY,
  INVOICE_FACTS,
  INVOICE_FINDINGS,
  MATERIAL_FACTS,
  MATERIAL_FINDINGS,
  type Finding,
} from './control-findings.ts';
import { CONTROLLED_PRODUCTS } from './controlled-products.ts';
import type { Complete } from './records.ts';

/** What is missing of one record: its findings, and the SQL of the facts about the record `$1`. */
export type Subject = readonly [findings: readonly Finding[], facts: string];

export const MATERIAL: Subject = [
  MATERIAL_FINDINGS,
  `select * from (${MATERIAL_FACTS}) f where f.id_material = $1`,
];

/** The invoice, if controlled materials came with it. */
export const INVOICE: Subject = [
  INVOICE_FINDINGS,
  `select * from (${INVOICE_FACTS}) f where f.id_nota_fiscal = $1 and exists (
    select from movimentacao v
    join lote l on l.id = v.id_lote
    join (${CONTROLLED_PRODUCTS}) p on p.id_material = l.id_material
    where v.id_nota_fiscal = $1 and ${ENTRY}
  )`,
];

/** A record whose answer after a write has warnings. */
interface Warned {
  avisos?: string[] | null;
}

/**
 * Completes a write, and lets its answer say what the monthly map of controlled chemicals lacks of the record. `about`
 * is the key of the record that the findings are about.
 */
export function warning<T extends Registro & Warned, I>(
  [findings, facts]: Subject,
  complete?: Complete<T, I>,
  about: (record: T) => number = ({ id }) => id,
): Complete<T, I> {
  const text = `select d.nth from (${facts}) f
  cross join lateral (values ${findings.map(({ when }, i) => `(${i}, ${when})`).join(', ')}) d (nth, falta)
  where d.falta order by d.nth`;
  const warn = async (record: T, written: T, em: EntityManager, call: Call): Promise<void> => {
    if (!call.selection['avisos']) return;
    const rows = await transactionReader(em).rows(text, [about(record)]);
    if (rows.length > 0) written.avisos = rows.map(([nth]) => sentence(findings[nth as number]!, call));
  };
  return Object.assign(
    (...write: Parameters<Complete<T, I>>) => complete?.(...write) ?? Promise.resolve(),
    complete,
    { last: warn },
  );
}

const sentence = ({ field, advice }: Finding, { context }: Call): string =>
  `${field}: ${advice[context.language]}`;
