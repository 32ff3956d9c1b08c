import type { Reader } from '../../database/reader.ts';
import type { Content } from '../../storage/content.ts';
import type { SealContent } from './seal.ts';

/** A seal as it is stored. */
export interface StoredSeal extends SealContent {
  number: number;
  seal: string;
  /** The file with the entries, if the part was archived. */
  file: Content | undefined;
}

const READ = `select parte as c0, numero as c1, entradas::text as c2, encode(elo, 'hex') as c3, recusas::text as c4,
  encode(elo_recusas, 'hex') as c5, encode(selo, 'hex') as c6, arquivo as c7, tamanho::text as c8
from selo_auditoria order by numero`;

/** All seals in their order. */
export async function readSeals(reader: Reader): Promise<StoredSeal[]> {
  const rows = (await reader.rows(READ, [])) as [
    string,
    number,
    string,
    string,
    string,
    string,
    string,
    string | null,
    string,
  ][];
  return rows.map(([part, number, entries, link, refusals, refusalsLink, seal, sha256, size]) => ({
    part,
    number,
    entries: Number(entries),
    link,
    refusals: Number(refusals),
    refusalsLink,
    seal,
    file: sha256 === null ? undefined : { sha256, size: Number(size) },
  }));
}
