import type { Installation } from './installation.ts';

/** Tables that the feed and the webhook follow. Each movement adds a row to the first and changes one of the second. */
export const FOLLOWED_TABLES = ['movimentacao', 'estoque'] as const;
/** The kinds of events of these tables. */
export const FOLLOWED_KINDS = ['movimentacao.criada', 'estoque.alterado'] as const;

/** A change that was committed. */
export interface Committed {
  /** Id of its entry in the audit trail. */
  id: string;
  record: string;
}

/** Id of the last entry of the audit trail. */
export async function endOfTrail(installation: Installation): Promise<string> {
  const [row] = await installation.query<{ id: string }>(
    'select coalesce(max(id), 0)::text as id from auditoria',
  );
  return row!.id;
}

/** The changes that the audit trail has after an entry, in the order of their commits. Those without a position come last. */
export const committedAfter = (installation: Installation, id: string): Promise<Committed[]> =>
  installation.query<Committed>(
    `select a.id::text as id, a.tabela || ' ' || a.id_registro as record
     from auditoria a left join mudanca_transacao m on m.transacao = a.transacao
     where a.id > $1 and a.operacao in ('insert', 'update', 'delete') and a.tabela = any($2)
     order by m.posicao nulls last, a.id`,
    [id, FOLLOWED_TABLES],
  );

/** What a follower received, compared with what was committed. All are ids. */
export interface Comparison {
  missing: string[];
  /** Comparison more than once, or never committed. */
  wrong: string[];
  /** Comparison after a later one. */
  outOfOrder: string[];
}

/** @param received ids in the order in which they came @param group the order is guaranteed only within a group */
export function compare(
  received: readonly string[],
  committed: readonly Committed[],
  group: (change: Committed) => string,
): Comparison {
  const known = new Map(committed.map((change, place) => [change.id, { change, place }]));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const result: Comparison = { missing: [], wrong: [], outOfOrder: [] };
  for (const id of received) {
    const found = known.get(id);
    if (!found || seen.has(id)) result.wrong.push(id);
    else if (found.place < (last.get(group(found.change)) ?? -1)) result.outOfOrder.push(id);
    else last.set(group(found.change), found.place);
    seen.add(id);
  }
  result.missing = committed.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
  return result;
}
