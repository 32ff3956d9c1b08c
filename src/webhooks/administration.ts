import { isIP } from 'node:net';
import { LockMode, sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { levelsNow } from '../access/levels.ts';
import { latestPosition } from '../changes/feed.ts';
import { CHANGE_KINDS } from '../changes/kinds.ts';
import { cursorOf } from '../changes/position.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { deleteRecord, recordLock, updateRecord } from '../domain/records.ts';
import { EntregaWebhook } from '../entities/institucional/entrega-webhook.ts';
import { Webhook, type FiltroWebhook } from '../entities/institucional/webhook.ts';
import { AppError, invalid, invalidField, notFound, type FieldError } from '../errors.ts';
import type { Text } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { writing, writingAs } from '../request/writing.ts';
import { webhookTexts } from './messages.ts';
import { Networks } from './networks.ts';
import { mayRead, WEBHOOKS_CONTROLLER } from './rights.ts';
import { newSigningSecret, SecretKeeper } from './signing.ts';
import { TEST_EVENT } from '../entities/institucional/own-events.ts';
import { actAs } from '../request/for-person.ts';

/** How long the old secret also signs after a rotation. */
const BOTH = '24 hours';

interface WebhookRequest {
  url: string;
  eventos: string[];
  filtro?: FiltroWebhook | null;
}

/** A secret that was just created. */
export interface IssuedSecret {
  id: number;
  segredo: string;
  anteriorAte: string | null;
}

const BEGIN = 'insert into andamento_webhook (id_webhook, segredo, cursor) values ($1, $2, $3)';

/**
 * Creates a webhook of the caller. It starts with events from now on.
 * @throws VALIDATION_FAILED, INVALID_STATE when the service has no key for secrets
 */
export async function createWebhook(
  call: Call,
  { url, eventos, filtro }: WebhookRequest,
): Promise<IssuedSecret> {
  const { idPessoa } = await call.context.session();
  const keeper = keeperOf(call);
  requireReachable(call, url);
  // All earlier commits are numbered before the webhook gets its position.
  await call.context.services.changes.sequencer.number();
  return writing(call, async em => {
    await call.context.caller.authorizeAnew(call.access, em);
    const reader = transactionReader(em);
    await requireReadable(call, reader, idPessoa, eventos);
    const webhook = em.create(Webhook, {
      pessoa: idPessoa,
      url,
      eventos,
      filtro: filtro ?? null,
      criadoPor: idPessoa,
      alteradoPor: idPessoa,
    } as never);
    await em.flush();
    const segredo = newSigningSecret();
    const cursor = cursorOf(await latestPosition(reader));
    await reader.rows(BEGIN, [webhook.id, keeper.seal(webhook.id, segredo), cursor]);
    return { id: webhook.id, segredo, anteriorAte: null };
  });
}

/**
 * Changes a webhook. For a webhook of another person the caller needs that person's permissions, because it sends what
 * its owner may read.
 * @throws FORBIDDEN
 */
export function changeWebhook(call: Call, id: number, input: WebhookRequest): Promise<Webhook> {
  requireReachable(call, input.url);
  return updateRecord(call, Webhook, id, input, async (webhook, { eventos }, em) => {
    await actingForOwner(webhook, input, em, call);
    await requireReadable(call, transactionReader(em), webhook.pessoa.id, eventos);
  });
}

/** Pauses a webhook. Its events are queued. */
export const pauseWebhook = (call: Call, id: number): Promise<Webhook> =>
  updateRecord(call, Webhook, id, { situacao: 'pausado', motivo: 'pedido' });

const AT_ONCE = `update entrega_webhook set tentativas = 0, proxima_em = now()
where id_webhook = $1 and situacao = 'pendente'`;

/** Resumes a webhook and sends the queued events. @throws FORBIDDEN */
export const resumeWebhook = (call: Call, id: number): Promise<Webhook> =>
  updateRecord(call, Webhook, id, { situacao: 'ativo', motivo: null }, async (webhook, input, em) => {
    await actingForOwner(webhook, input, em, call);
    await transactionReader(em).rows(AT_ONCE, [id]);
  });

/** Removes a webhook with its deliveries. */
export const removeWebhook = (call: Call, id: number): Promise<Webhook> => deleteRecord(call, Webhook, id);

const ROTATE = `update andamento_webhook
set segredo_anterior = segredo, anterior_ate = now() + interval '${BOTH}', segredo = $2 where id_webhook = $1
returning to_char(anterior_ate at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Gives a webhook a new secret. For a day the old one also signs. @throws FORBIDDEN, INVALID_STATE */
export async function rotateSecret(call: Call, id: number): Promise<IssuedSecret> {
  const { idPessoa } = await call.context.session();
  const keeper = keeperOf(call);
  return writingAs(call, { locks: [recordLock(Webhook, id)] }, async em => {
    const webhook = await em.findOne(Webhook, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!webhook) throw notFound();
    await call.context.caller.authorizeAnew(call.access, em);
    await actingForOwner(webhook, {}, em, call);
    const segredo = newSigningSecret();
    const [row] = await transactionReader(em).rows(ROTATE, [id, keeper.seal(id, segredo)]);
    em.assign(webhook, { segredoTrocadoEm: sql.now(), alteradoPor: idPessoa } as never);
    await em.flush();
    return { id, segredo, anteriorAte: row![0] as string };
  });
}

const TEST = `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
select id, '${TEST_EVENT}', 'webhook', id, '{}' from webhook where id = $1 returning id`;

/** Queues a test event. It is sent once, also while the webhook is paused. @throws NOT_FOUND */
export const testWebhook = (call: Call, id: number): Promise<EntregaWebhook> => queue(call, TEST, id);

const AGAIN = `update entrega_webhook set situacao = 'pendente', tentativas = 0, proxima_em = now(), concluida_em = null
where id = $1 returning id`;

/** Sends a completed delivery again, or a waiting one now. @throws NOT_FOUND */
export const sendAgain = (call: Call, id: number): Promise<EntregaWebhook> => queue(call, AGAIN, id);

const queue = (call: Call, statement: string, id: number): Promise<EntregaWebhook> =>
  writing(call, async em => {
    await call.context.caller.authorizeAnew(call.access, em);
    const [row] = await transactionReader(em).rows(statement, [id]);
    if (!row) throw notFound();
    return (await call.written(em, EntregaWebhook, { id: row[0] }))!;
  });

/**
 * Changing the events or the address of another person's webhook requires level 3 on everything that this person's
 * profiles grant or have granted.
 */
const actingForOwner = (webhook: Webhook, _input: object, em: EntityManager, call: Call): Promise<void> =>
  actAs(call.context, webhook.pessoa.id, WEBHOOKS_CONTROLLER, transactionReader(em));

/** @throws VALIDATION_FAILED for kinds that do not exist, FORBIDDEN for kinds that the owner may not read */
async function requireReadable(
  { context }: Call,
  reader: Reader,
  idPessoa: number,
  kinds: readonly string[],
): Promise<void> {
  const broken = (message: (kind: string) => Text, holds: (kind: string) => boolean): FieldError[] =>
    kinds.flatMap((kind, i) => (holds(kind) ? [] : [{ field: `eventos[${i}]`, message: message(kind) }]));
  const unknown = broken(webhookTexts.unknownEvent, kind => CHANGE_KINDS.includes(kind));
  if (unknown.length > 0) throw invalid('VALIDATION_FAILED', unknown);
  const owner = (await levelsNow(reader, [idPessoa])).get(idPessoa);
  const errors = broken(webhookTexts.mayNotRead, kind =>
    mayRead(owner, context.services.changes.audiences, kind),
  );
  if (errors.length > 0) throw new AppError('FORBIDDEN', { errors });
}

function keeperOf({ context }: Call): SecretKeeper {
  const keeper = SecretKeeper.of(context.services.config);
  if (!keeper) throw new AppError('INVALID_STATE', { detail: webhookTexts.noKey });
  return keeper;
}

/** Checks an address. Host names are resolved only when something is sent. @throws VALIDATION_FAILED */
function requireReachable({ context }: Call, address: string): void {
  const networks = new Networks(context.services.config.WEBHOOK_ALLOW);
  const url = URL.parse(address);
  const isEncrypted = url?.protocol === 'https:';
  const isUsable =
    url && (isEncrypted || (url.protocol === 'http:' && networks.areNamed)) && !url.username && !url.password;
  if (!isUsable) throw invalidField('VALIDATION_FAILED', 'url', webhookTexts.address);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !networks.admit(host, isEncrypted))
    throw invalidField('VALIDATION_FAILED', 'url', webhookTexts.notReached);
}
