import { readAll, type Reader, type Statement } from '../database/reader.ts';
import { kindOf, type ChangedTable, type FieldChange } from './kinds.ts';
import { gone, WHOLE, type Position } from './position.ts';

/** A write to one record. */
export interface Change {
  position: Position;
  moment: Date;
  /** One of `CHANGE_KINDS`: `lote.criado`. */
  kind: string;
  table: ChangedTable;
  id: number;
  /** Version of the record after the write, or before it was deleted; null for old entries, which have none. */
  version: number | null;
  idPessoa: number | null;
  idSistema: number | null;
  fields: FieldChange[];
}

/** A run of consecutive changes of the feed. */
export interface Stretch {
  changes: Change[];
  /** Position to continue from. It is after the last of `changes` if changes of other tables were skipped. */
  end: Position;
  /** Whether there may be more changes already. */
  more: boolean;
  /** Whether it ends early because its changes are large. */
  isFull: boolean;
  /** The end of the whole feed at that time. */
  latest: Position;
}

/** Most transactions that one statement searches. */
const WINDOW = 500;

/** A stretch ends after this many stored bytes of changes. In memory they take several times as much. */
const BYTES = 2_000_000;

/** Up to this many tables, each is searched separately, which takes one index search per transaction and table. */
const FEW = 20;

const ENTRY = `a.id, a.momento, a.operacao, a.tabela, a.id_registro, a.versao_registro, a.id_pessoa, a.id_sistema, a.alteracoes
    from auditoria a
    where a.transacao = m.transacao and a.momento between m.desde and m.ate
      and a.id > case when m.posicao = $1::bigint then $2::bigint else 0 end
      and a.operacao in ('insert', 'update', 'delete')`;

/** Entries of transaction `m` on any of the tables. It reads and discards entries on other tables. */
const OF_MANY = `select ${ENTRY} and a.tabela = any($3::text[])`;

/**
 * Entries of transaction `m` on any of the tables, without reading entries on other tables, which are most of an
 * import.
 */
const OF_FEW = `select a.* from (select distinct unnest($3::text[]) as nome) t cross join lateral (
    select ${ENTRY} and a.tabela = t.nome order by a.id limit $4::int + 1) a`;

/**
 * One statement reads everything, so it sees one snapshot: a position that is deleted meanwhile does not become a gap.
 * `desde` and `ate` limit the search to one or two monthly partitions of the trail.
 */
const read = (entries: string): string => `select h.historia::text as c0, h.ultima::text as c1,
  (select d.marca from mudanca_transacao d where d.posicao = $1::bigint) as c2,
  (select min(posicao)::text from mudanca_transacao) as c3,
  e.posicao::text as c4, e.marca as c5, e.id::text as c6, (extract(epoch from e.momento) * 1000)::float8 as c7,
  e.operacao as c8, e.tabela as c9, e.id_registro as c10, e.versao_registro as c11, e.id_pessoa as c12, e.id_sistema as c13,
  auditoria_campos(e.alteracoes) as c14, (select u.marca from mudanca_transacao u where u.posicao = h.ultima) as c15,
  (e.antes + e.tamanho)::int as c16
from historia_mudancas h
left join (
  select m.posicao, m.marca, a.*, coalesce(pg_column_size(a.alteracoes), 0) as tamanho, coalesce(sum(pg_column_size(a.alteracoes))
    over (order by m.posicao, a.id rows between unbounded preceding and 1 preceding), 0) as antes
  from (select * from mudanca_transacao where posicao >= $1::bigint order by posicao limit ${WINDOW}) m
  left join lateral (
    ${entries}
    order by a.id limit $4::int + 1
  ) a on true
  order by m.posicao, a.id
  limit $4::int + ${WINDOW}
) e on e.antes < ${BYTES}
order by e.posicao, e.id`;

const READ = { few: read(OF_FEW), many: read(OF_MANY) };

/**
 * Precedes the statement in the same trip and transaction. PostgreSQL expects few entries of a transaction, so it would
 * read and sort all of them, 100,000 after an import. Without sorting it reads them in the order of an index, until it has
 * enough.
 */
const IN_ORDER: Statement = { text: `select set_config('enable_sort', 'off', true)`, values: [] };

type Row = [
  history: string,
  last: string,
  mark: number | null,
  first: string | null,
  number: string | null,
  ownMark: number,
  entry: string | null,
  moment: number,
  operation: string,
  table: ChangedTable,
  id: number,
  version: number | null,
  idPessoa: number | null,
  idSistema: number | null,
  fields: FieldChange[],
  lastMark: number | null,
  bytes: number,
];

/**
 * Changes of these tables after a position, in the order in which their transactions were committed. Without a position
 * it starts at the oldest stored change. It does not check rights.
 * @throws GONE when the history does not contain the position
 */
export async function readChanges(
  reader: Reader,
  after: Position | null,
  first: number,
  tables: readonly string[],
): Promise<Stretch> {
  const from = after ?? { number: 0, entry: WHOLE };
  const text = READ[tables.length > FEW ? 'many' : 'few'];
  const statement = { text, values: [from.number, from.entry, tables, first] };
  const rows = (await readAll(reader, [IN_ORDER, statement]))[1] as Row[];
  const [history, last, mark, oldest] = rows[0]!;
  if (after && !isThere(after, history, mark, oldest)) throw gone();
  const place = (number: string | null, drawn: number | null): Position =>
    number === null || number === '0'
      ? { history, number: 0, mark: 0, entry: WHOLE }
      : { history, number: Number(number), mark: drawn!, entry: WHOLE };
  const found = rows.filter(row => row[6] !== null);
  const changes = found.slice(0, first).map(changeOf);
  const [, , , , seen, drawn] = rows.at(-1)!;
  const isFull = rows.at(-1)![16] >= BYTES;
  const isCut = found.length > first || isFull;
  const end = isCut ? changes.at(-1)!.position : place(seen, drawn);
  const latest = place(last, rows[0]![15]);
  return { changes, end, more: isCut || end.number < latest.number, isFull, latest };
}

const LATEST = `select h.historia::text as c0, coalesce(m.posicao, 0)::text as c1, coalesce(m.marca, 0) as c2
from historia_mudancas h left join mudanca_transacao m on m.posicao = h.ultima`;

/** The end of the feed. */
export async function latestPosition(reader: Reader): Promise<Position> {
  const [row] = (await reader.rows(LATEST, [])) as [string, string, number][];
  const [history, number, mark] = row!;
  return { history, number: Number(number), mark, entry: WHOLE };
}

/** Whether the position belongs to this history, and everything after it is still stored. */
function isThere(after: Position, history: string, mark: number | null, oldest: string | null): boolean {
  if (after.history !== history) return false;
  return after.number === 0 ? oldest === null || oldest === '1' : mark === after.mark;
}

function changeOf(row: Row): Change {
  const [
    history,
    ,
    ,
    ,
    number,
    mark,
    entry,
    moment,
    operation,
    table,
    id,
    version,
    idPessoa,
    idSistema,
    fields,
  ] = row;
  return {
    position: { history, number: Number(number), mark, entry: Number(entry) },
    moment: new Date(moment),
    kind: kindOf(table, operation, fields),
    table,
    id,
    version,
    idPessoa,
    idSistema,
    fields,
  };
}
