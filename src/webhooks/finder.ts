import type { EntityManager } from '@mikro-orm/postgresql';
import { levelsNow, type Levels } from '../access/levels.ts';
import { latestPosition, readChanges, type Change } from '../changes/feed.ts';
import { cursorOf, positionOf } from '../changes/position.ts';
import { visibilityOf } from '../changes/visible.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import type { FiltroWebhook } from '../entities/institucional/webhook.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../request/services.ts';
import { GAP_EVENT } from '../entities/institucional/own-events.ts';
import { mayOwn, tablesOf } from './rights.ts';

/**
 * Most records of which deliveries wait for one webhook, and most deliveries in all. When one of them is reached, its
 * position in the feed does not advance. A single record that is refused reaches only the second one.
 */
const MOST_RECORDS = 1_000;
const MOST_WAITING = 5_000;
/** Number of changes that are read at a time. */
const STRETCH = 200;

/** Webhooks whose position is before the end of the feed. A row that another process has locked is skipped. */
const BEHIND = `select p.id_webhook, p.cursor, w.id_pessoa, w.eventos, w.filtro
from andamento_webhook p join webhook w on w.id = p.id_webhook
where w.situacao = 'ativo' and p.cursor <> $1 and (
  select count(*) < ${MOST_WAITING} and count(distinct (tabela, id_registro)) < ${MOST_RECORDS} from (
    select tabela, id_registro from entrega_webhook e
    where e.id_webhook = w.id and e.situacao = 'pendente' limit ${MOST_WAITING}
  ) waiting)
order by p.id_webhook for no key update of p skip locked`;

const ADD = `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
select (d.x ->> 0)::int, d.x ->> 1, d.x ->> 2, (d.x ->> 3)::int, d.x -> 4
from jsonb_array_elements($1::jsonb) with ordinality as d (x, n) order by d.n`;

/** A gap that has not been sent yet is told after what is lost now. One that is being sent may have been told before. */
const ADD_GAPS = `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
select w.id, '${GAP_EVENT}', 'webhook', w.id, '{}' from unnest($1::int[]) w (id)
where not exists (
  select from entrega_webhook e where e.id_webhook = w.id and e.tabela = 'webhook' and e.id_registro = w.id
    and e.situacao = 'pendente' and e.evento = '${GAP_EVENT}' and e.reserva is null)`;

const MOVE = 'update andamento_webhook set cursor = $2 where id_webhook = any($1::int[])';

interface Behind {
  idWebhook: number;
  cursor: string;
  owner: Levels;
  eventos: string[];
  filtro: FiltroWebhook | null;
}

type Row = [
  idWebhook: number,
  cursor: string,
  idPessoa: number,
  eventos: string[],
  filtro: FiltroWebhook | null,
];

/** The result of a search for new events. */
interface FoundEvents {
  /** Whether there may be more events. */
  more: boolean;
  /** Webhooks whose position the feed no longer contains. They continue at its end. */
  lost: number[];
  /** Webhooks whose owners may no longer have them. */
  refused: number[];
}

/** Creates deliveries of the events after the position of each webhook, in the transaction of `em`. */
export async function findEvents(em: EntityManager, services: Services): Promise<FoundEvents> {
  const reader = transactionReader(em);
  const latest = cursorOf(await latestPosition(reader));
  const rows = (await reader.rows(BEHIND, [latest])) as Row[];
  const people = await levelsNow(reader, [...new Set(rows.map(([, , idPessoa]) => idPessoa))]);
  const found: FoundEvents = { more: false, lost: [], refused: [] };
  const behind: Behind[] = [];
  for (const [idWebhook, cursor, idPessoa, eventos, filtro] of rows) {
    const owner = people.get(idPessoa);
    if (!owner || !mayOwn(owner, services.changes.audiences, eventos)) found.refused.push(idWebhook);
    else behind.push({ idWebhook, cursor, owner, eventos, filtro });
  }
  // Almost always all webhooks have the same position.
  for (const [cursor, webhooks] of Map.groupBy(behind, one => one.cursor)) {
    const ids = webhooks.map(({ idWebhook }) => idWebhook);
    const tables = tablesOf(webhooks.flatMap(({ eventos }) => eventos));
    const stretch = await readChanges(reader, positionOf(cursor), STRETCH, tables).catch(unlessGone);
    if (stretch) await add(reader, await deliveriesOf(reader, services, webhooks, stretch.changes));
    else {
      found.lost.push(...ids);
      await reader.rows(ADD_GAPS, [ids]);
    }
    await reader.rows(MOVE, [ids, stretch ? cursorOf(stretch.end) : latest]);
    found.more ||= stretch?.more ?? false;
  }
  return found;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'GONE')) throw error;
}

type NewDelivery = [idWebhook: number, evento: string, tabela: string, idRegistro: number, mudanca: object];

async function add(reader: Reader, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length > 0) await reader.rows(ADD, [JSON.stringify(deliveries)]);
}

async function deliveriesOf(
  reader: Reader,
  { listing, changes: { audiences } }: Services,
  webhooks: readonly Behind[],
  changes: readonly Change[],
): Promise<NewDelivery[]> {
  if (changes.length === 0) return [];
  const owners = [...new Set(webhooks.map(({ owner }) => owner))];
  const seen = await visibilityOf({ ...listing, reader, totals: undefined }, audiences, owners, changes);
  return webhooks.flatMap(({ idWebhook, owner, eventos, filtro }) =>
    seen(owner)
      .filter(change => eventos.includes(change.kind) && passes(change, filtro))
      .map((change): NewDelivery => [idWebhook, change.kind, change.table, change.id, change]),
  );
}

function passes({ id, kind, idSistema, fields }: Change, filtro: FiltroWebhook | null): boolean {
  const { registros, campos, excetoSistemas } = filtro ?? {};
  const isWhole = /\.(?:criad|removid).$/.test(kind);
  return (
    (!registros || registros.includes(id)) &&
    (!campos || isWhole || fields.some(({ campo }) => campos.includes(campo))) &&
    (!excetoSistemas || idSistema === null || !excetoSistemas.includes(idSistema))
  );
}
