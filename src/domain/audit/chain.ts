import type { MikroORM } from '@mikro-orm/postgresql';
import { transactionReader, type Reader } from '../../database/reader.ts';
import { endsOf } from './ends.ts';
import { linkOf, type Head } from './links.ts';
import { CHAIN, ENTRY } from './parts.ts';

/** Most entries that one transaction chains. */
const BATCH = 1_000;

/**
 * The end of the chains. A process that chains locks this row; the others skip it. PostgreSQL underestimates how many
 * entries of a large transaction are left, and would sort all of them for each batch. So sorting is disabled, and it
 * reads by index.
 */
const STATE = `select ate_transacao::text as c0, ate_id::text as c1, antes_id::text as c2,
  set_config('enable_sort', 'off', true) as c3, pg_snapshot_xmin(pg_current_snapshot())::text as c4
from cadeia_auditoria for update skip locked`;

const COLUMNS = `a.id::text as c0, ${CHAIN} as c1, ${ENTRY} as c2, a.transacao::text as c3`;

/**
 * Only transactions below the oldest running one. No running or later transaction has a lower number, so no entry is
 * skipped.
 */
const ENDED = 'a.transacao < pg_snapshot_xmin(pg_current_snapshot())';

const NEXT = `select ${COLUMNS} from auditoria a where (a.transacao, a.id) > ($1::xid8, $2::bigint) and ${ENDED}
order by a.transacao, a.id limit ${BATCH}`;

const BEFORE_MONTHS = `select ${COLUMNS} from auditoria_antes a where a.id > $1::bigint order by a.id limit ${BATCH}`;

/**
 * After a restore, transaction numbers do not tell what is chained. Sealed months are complete. The limit is the
 * position where the next batches begin: a batch that ends during this read is left to them.
 */
const NOT_CHAINED = `select ${COLUMNS} from auditoria a where a.transacao < $1::xid8
  and a.momento >= coalesce((select (to_date(max(parte), 'YYYY-MM') + interval '1 month') at time zone 'UTC'
    from selo_auditoria where parte ~ '^[0-9]'), '-infinity')
  and not exists (select from elo_auditoria e cross join unnest(e.ids) as i (id) where i.id = a.id and not exists (
    select from selo_auditoria s where e.cadeia in (s.parte, s.parte || '-recusas')))
order by a.id limit ${BATCH}`;

const APPEND = `insert into elo_auditoria (cadeia, primeiro, ids, elos)
select cadeia, primeiro, ids, decode(elos, 'hex')
from jsonb_to_recordset($1::jsonb) as r (cadeia text, primeiro bigint, ids bigint[], elos text)`;

/** Stores the time of the last chained entry, but at most now: the entry, or the time before, may be of a wrong clock. */
const REACHED = `update cadeia_auditoria set ate_transacao = $1::xid8, ate_id = $2::bigint, ate_momento = least(now(),
  greatest(ate_momento, (select momento from auditoria where id = $2::bigint)))`;
const ALL_FOUND = `update cadeia_auditoria set ate_transacao = $1::xid8, ate_id = 0`;
const REACHED_BEFORE = 'update cadeia_auditoria set antes_id = $1::bigint';

/** The next entry to be chained. It has waited longest, or almost so. */
const WAITING = `select coalesce(extract(epoch from now() - (
  select momento from auditoria a where (a.transacao, a.id) > (coalesce(c.ate_transacao, '0'), c.ate_id)
  order by a.transacao, a.id limit 1)), 0)::float8 as c0 from cadeia_auditoria c`;

/** Age of the oldest entry that is not chained yet, in seconds. */
export const unchainedSeconds = async (reader: Reader): Promise<number> =>
  Math.max(0, (await reader.rows(WAITING, []))[0]![0] as number);

type State = [transaction: string | null, id: string, before: string | null, sort: string, ended: string];
type Entry = [id: string, chain: string, text: string, transaction: string];

/**
 * Chains at most a thousand committed entries. Returns the heads of the chains that grew, and whether there may be
 * more. Does nothing while another process chains.
 */
export const chainBatch = (orm: MikroORM): Promise<{ heads: Head[]; more: boolean }> =>
  orm.em.fork().transactional(async em => {
    const reader = transactionReader(em);
    const [state] = (await reader.rows(STATE, [])) as State[];
    if (!state) return { heads: [], more: false };
    const [transaction, id, before, , ended] = state;
    const entries = (await (before !== null
      ? reader.rows(BEFORE_MONTHS, [before])
      : transaction === null
        ? reader.rows(NOT_CHAINED, [ended])
        : reader.rows(NEXT, [transaction, id]))) as Entry[];
    const heads = entries.length > 0 ? await append(reader, entries) : [];
    const isFull = entries.length === BATCH;
    const last = entries.at(-1);
    if (before !== null) await reader.rows(REACHED_BEFORE, [isFull ? last![0] : null]);
    else if (transaction !== null && last) await reader.rows(REACHED, [last[3], last[0]]);
    else if (transaction === null && !isFull) await reader.rows(ALL_FOUND, [ended]);
    return { heads, more: isFull || before !== null };
  });

async function append(reader: Reader, entries: readonly Entry[]): Promise<Head[]> {
  const names = [...new Set(entries.map(([, chain]) => chain))];
  const added = (await endsOf(reader, names)).map(({ chain, count, link }) => {
    const own = entries.filter(([, name]) => name === chain);
    const links: Buffer[] = [];
    for (const [, , text] of own) links.push(linkOf(links.at(-1) ?? Buffer.from(link, 'hex'), text));
    return { chain, count, ids: own.map(([id]) => id), links };
  });
  const rows = added.map(({ chain, count, ids, links }) => ({
    cadeia: chain,
    primeiro: count + 1,
    ids,
    elos: Buffer.concat(links).toString('hex'),
  }));
  await reader.rows(APPEND, [JSON.stringify(rows)]);
  return added.map(({ chain, count, links }) => ({
    chain,
    count: count + links.length,
    link: links.at(-1)!.toString('hex'),
  }));
}
