import type { Reader } from '../../database/reader.ts';
import { LINK_BYTES } from './links.ts';
import { ENTRY, IS_REFUSAL, isOfRefusals, tableOf } from './parts.ts';

/** A link of a chain as it is stored, with its entry. */
export interface StoredLink {
  /** Position in the chain, starting at 1. */
  place: number;
  id: string;
  link: Buffer;
  /** The entry as text; undefined if it is missing. */
  text: string | undefined;
  /** When the entry was made, in seconds since 1970. */
  moment: number | undefined;
}

/** Rows of links to read at a time. A row contains the links of one transaction. */
const ROWS = 20;

const LINKS = `select primeiro::text as c0, ids::text[] as c1, elos as c2 from elo_auditoria
where cadeia = $1 and primeiro > $2::bigint order by primeiro limit ${ROWS}`;

const entriesOf = (part: string): string =>
  `select a.id::text as c0, ${ENTRY} as c1, extract(epoch from a.momento)::float8 as c2
from ${tableOf(part)} a where a.id = any($1::bigint[])`;

/** The links of a chain in order, each with its entry. */
export async function* storedLinks(
  reader: Reader,
  part: string,
  chain: string,
  hasTable: boolean,
): AsyncGenerator<StoredLink> {
  for (let last = '0'; ;) {
    const rows = (await reader.rows(LINKS, [chain, last])) as [string, string[], Buffer][];
    if (rows.length === 0) return;
    const ids = rows.flatMap(([, own]) => own);
    const found = hasTable ? await reader.rows(entriesOf(part), [ids]) : [];
    const entries = new Map(found.map(([id, ...entry]) => [id, entry as [string, number]]));
    for (const [first, own, links] of rows)
      for (const [i, id] of own.entries()) {
        const [text, moment] = entries.get(id) ?? [];
        const link = links.subarray(i * LINK_BYTES, (i + 1) * LINK_BYTES);
        yield { place: Number(first) + i, id, link, text, moment };
      }
    last = rows.at(-1)![0];
  }
}

/**
 * Ids of entries that belong to a chain and have no link, although the chain is already past them. At most a hundred.
 */
export async function unlinked(reader: Reader, part: string, chain: string): Promise<string[]> {
  const passed =
    part === 'antes'
      ? 'a.id <= coalesce(c.antes_id, a.id)'
      : '(a.transacao, a.id) <= (c.ate_transacao, c.ate_id)';
  const rows = await reader.rows(
    `select a.id::text as c0 from ${tableOf(part)} a, cadeia_auditoria c
     where (${IS_REFUSAL}) = $2 and ${passed} and not exists (
       select from elo_auditoria e cross join unnest(e.ids) as i (id) where e.cadeia = $1 and i.id = a.id)
     order by a.id limit 100`,
    [chain, isOfRefusals(chain)],
  );
  return rows.map(([id]) => id as string);
}
