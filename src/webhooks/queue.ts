import { LATEST_NOW } from '../database/moments.ts';
import type { Reader } from '../database/reader.ts';
import type { PauseReason } from '../entities/institucional/webhook.ts';
import type { Answer } from './sender.ts';
import { GAP_EVENT, TEST_EVENT } from '../entities/institucional/own-events.ts';
import { LONGEST_PAUSES } from './pauses.ts';

/** Lease of a delivery in seconds. It is longer than an exchange can take. */
const LEASE_S = 30;

/** Candidates of one webhook: so many that some are left when other processes lease at the same moment. */
const MOST_TRIED = 64;

/** Longest pause after the attempts of a delivery, in seconds. */
const longestPause = (delivery: string): string =>
  `coalesce((array[${LONGEST_PAUSES.join(', ')}])[${delivery}.tentativas], 0)`;

/** A moment is over when it has passed, or was stored by a clock that was ahead: more than a minute after the latest possible. */
const isOver = (moment: string, longest: string | number): string =>
  `(${moment} <= now() or ${moment} > now() + make_interval(secs => ${longest} + 60))`;

const isDue = (delivery: string): string => `${isOver(`${delivery}.proxima_em`, longestPause(delivery))}
        and (${delivery}.reservada_ate is null or ${isOver(`${delivery}.reservada_ate`, LEASE_S)})`;

/**
 * Leases due deliveries, those of one webhook in the order of their events. Webhooks with more room left go first, so
 * one that needs much cannot keep the others waiting. An event of a record waits until the earlier ones are completed. All
 * events after a gap wait until the gap is completed. Tests wait for no event. The transaction is this statement alone, so no
 * connection is held while a receiver answers.
 *
 * An attempt whose lease has ended without an outcome is made again and counts once: the process that made it has ended.
 *
 * Waiting deliveries are read once, in the order of their index. The table changes faster than PostgreSQL's statistics of
 * it, and a plan that trusts them would compare all waiting deliveries with each other. What makes a delivery due is
 * checked again under its lock, because another process may have leased it meanwhile.
 */
const TAKE = `with chosen as (
  select e.id from webhook w
  left join unnest($1::int[], $2::int[]) as busy (id_webhook, room) on busy.id_webhook = w.id
  cross join lateral (
    select e.id, e.evento from entrega_webhook e
    where e.id = any (array(
      (select earliest.id from (
        select distinct on (tabela, id_registro) id, tentativas, proxima_em, reservada_ate
        from entrega_webhook
        where id_webhook = w.id and situacao = 'pendente' and evento <> '${TEST_EVENT}' order by tabela, id_registro, id
      ) earliest
      where w.situacao = 'ativo' and ${isDue('earliest')} and earliest.id <= coalesce((
        select min(gap.id) from entrega_webhook gap
        where gap.id_webhook = w.id and gap.tabela = 'webhook' and gap.id_registro = w.id
          and gap.situacao = 'pendente' and gap.evento = '${GAP_EVENT}'), earliest.id)
      order by earliest.id limit ${MOST_TRIED})
      union all
      (select test.id from entrega_webhook test
      where test.id_webhook = w.id and test.situacao = 'pendente' and test.evento = '${TEST_EVENT}'
        and test.tabela = 'webhook' and test.id_registro = w.id and ${isDue('test')}
      order by test.id limit ${MOST_TRIED})
    ))
      and e.situacao = 'pendente' and ${isDue('e')}
    order by e.evento <> '${TEST_EVENT}', e.id limit coalesce(busy.room, $3::int) for no key update skip locked
  ) e
  order by coalesce(busy.room, $3::int) - row_number() over (
    partition by w.id order by e.evento <> '${TEST_EVENT}', e.id
  ) desc, e.id limit $4
)
update entrega_webhook e
set reserva = $5::uuid, reservada_ate = now() + interval '${LEASE_S} seconds', tentada_em = now(),
  tentativas = greatest(tentativas + (e.reserva is null)::int, 1)
from webhook w, andamento_webhook p
where e.id = any (array(select id from chosen)) and w.id = e.id_webhook and p.id_webhook = w.id
returning e.id, w.id, w.id_pessoa, w.url, e.mensagem::text, e.evento, e.mudanca, w.eventos,
  to_char(e.criado_em at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), e.tentativas, p.segredo,
  case when p.anterior_ate > now() and w.segredo_trocado_em <= ${LATEST_NOW} then p.segredo_anterior end, (extract(epoch from now()) * 1000)::float8`;

const STATE = `select current_setting('transaction_read_only') = 'off' as c0,
  exists (select from webhook where situacao = 'ativo') as c1`;

/** Whether the database accepts changes, and whether any webhook is active. */
export async function stateOf(reader: Reader): Promise<{ isWritable: boolean; areThere: boolean }> {
  const [row] = (await reader.rows(STATE, [])) as [boolean, boolean][];
  return { isWritable: row![0], areThere: row![1] };
}

/** A delivery that this process has leased. */
export interface Delivery {
  id: number;
  idWebhook: number;
  /** Owner of the webhook. */
  idPessoa: number;
  url: string;
  mensagem: string;
  evento: string;
  /** The change; empty for events of the service itself. */
  mudanca: object;
  /** When the delivery was created. */
  criadoEm: string;
  /** Kinds of events of the webhook. */
  eventos: string[];
  /** Number of attempts, including this one. */
  tentativas: number;
  /** Encrypted secrets: the current one, and the previous one while it also signs. */
  segredos: Buffer[];
  /** When it was leased for this attempt. */
  tentadaEm: Date;
}

/** The first columns that `TAKE` returns, in their order. */
const TAKEN = [
  'id',
  'idWebhook',
  'idPessoa',
  'url',
  'mensagem',
  'evento',
  'mudanca',
  'eventos',
  'criadoEm',
  'tentativas',
] as const satisfies (keyof Delivery)[];

/** How many deliveries may be leased. */
export interface Room {
  all: number;
  /** Limit of each webhook. */
  each: number;
  /** Webhooks with a limit of their own, by id. */
  own: ReadonlyMap<number, number>;
}

export async function takeDeliveries(
  reader: Reader,
  holder: string,
  { all, each, own }: Room,
): Promise<Delivery[]> {
  const rows = await reader.rows(TAKE, [[...own.keys()], [...own.values()], each, all, holder]);
  return rows.map(row => {
    const named = Object.fromEntries(TAKEN.map((name, i) => [name, row[i]]));
    const [secret, before, now] = row.slice(TAKEN.length) as [Buffer, Buffer | null, number];
    return {
      ...(named as Pick<Delivery, (typeof TAKEN)[number]>),
      segredos: before ? [secret, before] : [secret],
      tentadaEm: new Date(now),
    };
  });
}

/** The outcome of an attempt to deliver. */
export interface DeliveryAttempt {
  status?: number;
  resposta?: string;
  erro?: string;
}

export const attemptOf = ({ status, text }: Answer): DeliveryAttempt => ({
  status,
  resposta: text.replaceAll('\0', '').toWellFormed().slice(0, 1000),
});

/** Changes nothing if another process has leased the delivery meanwhile. */
const OWN = 'where id = $1 and reserva = $2::uuid';
const GIVEN_BACK = 'reserva = null, reservada_ate = null';
const TRIED = 'status = $3, resposta = $4, erro = $5';

const END = `update entrega_webhook set situacao = $6, concluida_em = now(), ${TRIED}, ${GIVEN_BACK} ${OWN}`;
const RETRY = `update entrega_webhook set proxima_em = now() + make_interval(secs => $6::float8), ${TRIED}, ${GIVEN_BACK} ${OWN}`;
// Somebody may have set the number of attempts to 0 meanwhile, because the delivery was to be sent again.
const RELEASE = `update entrega_webhook set tentativas = greatest(tentativas - 1, 0), ${GIVEN_BACK} ${OWN}`;

const valuesOf = ({ status, resposta, erro }: DeliveryAttempt): unknown[] => [
  status ?? null,
  resposta ?? null,
  erro ?? null,
];

/** Completes a delivery. */
export const endDelivery = async (
  reader: Reader,
  holder: string,
  id: number,
  situacao: 'entregue' | 'omitida' | 'falhou',
  tried: DeliveryAttempt = {},
): Promise<unknown> => reader.rows(END, [id, holder, ...valuesOf(tried), situacao]);

/** Schedules another attempt of a delivery after a pause. */
export const retryDelivery = async (
  reader: Reader,
  holder: string,
  id: number,
  seconds: number,
  tried: DeliveryAttempt,
): Promise<unknown> => reader.rows(RETRY, [id, holder, ...valuesOf(tried), seconds]);

/** Releases a delivery without an attempt. */
export const releaseDelivery = async (reader: Reader, holder: string, id: number): Promise<unknown> =>
  reader.rows(RELEASE, [id, holder]);

const PAUSE = `update webhook set situacao = 'pausado', motivo = $2, alterado_em = now(), alterado_por = null
where id = $1 and situacao = 'ativo' returning id`;

/** Pauses a webhook on behalf of the service. Returns whether it was active. */
export const pauseFor = async (reader: Reader, idWebhook: number, motivo: PauseReason): Promise<boolean> =>
  (await reader.rows(PAUSE, [idWebhook, motivo])).length > 0;
