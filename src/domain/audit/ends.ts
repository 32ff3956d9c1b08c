import type { Reader } from '../../database/reader.ts';
import { LINK_BYTES, startOf, type Head } from './links.ts';

const ENDS = `select c.cadeia as c0, e.ultimo::text as c1, e.elo as c2
from unnest($1::text[]) as c (cadeia), lateral (
  select primeiro + cardinality(ids) - 1 as ultimo, encode(substr(elos, length(elos) - ${LINK_BYTES - 1}), 'hex') as elo
  from elo_auditoria where cadeia = c.cadeia order by primeiro desc limit 1) e`;

/** The head of each of these chains, including empty chains. */
export async function endsOf(reader: Reader, chains: readonly string[]): Promise<Head[]> {
  const ends = (await reader.rows(ENDS, [chains])) as [string, string, string][];
  return chains.map(chain => {
    const [, count = '0', link = startOf(chain).toString('hex')] =
      ends.find(([name]) => name === chain) ?? [];
    return { chain, count: Number(count), link };
  });
}
