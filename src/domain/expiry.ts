import { LATEST_NOW } from '../database/moments.ts';
import type { Reader } from '../database/reader.ts';
import { dropOldAnswers } from '../request/idempotency.ts';
import { GAP_EVENT, TEST_EVENT } from '../entities/institucional/own-events.ts';
import { dropOldClaims, GRACE_HOURS } from './uploads.ts';

/** Most rows per statement, so that none takes long. */
const BATCH = 1_000;

/**
 * What protects for a term: answers to keys, claims of contents, running imports, positions in the feed. If a clock that was
 * ahead has stored it, its term begins now.
 */
const BEGINS_NOW = [
  ['idempotencia', 'criado_em'],
  ['envio_arquivo', 'momento'],
  ['envio_arquivo', 'removido_em'],
  ['andamento_importacao', 'visto_em'],
  ['mudanca_transacao', 'momento'],
].map(([table, began]) => `update ${table} set ${began} = now() where ${began} > ${LATEST_NOW}`);

/** The audit trail still records when each session began and ended. */
const ENDED_SESSIONS = `with gone as (
  delete from sessao where id in (
    select id from sessao where least(expira_em, encerrada_em) < now() - interval '3 days'
    order by id limit ${BATCH} for update skip locked)
  returning id
) select count(*)::int as c0 from gone`;

/** Reports of imports contain values from their files. Their refused rows are deleted with them. */
const OLD_REPORTS = `delete from andamento_importacao a using importacao i
  where i.id = a.id_importacao and i.terminada_em < now() - interval '30 days'`;

/**
 * A position goes after all before it, so that no reader passes over one that is gone. The last one is kept, so that its
 * cursor stays valid even if nothing changes for a long time.
 */
const OLD_CHANGES = `with gone as (
  delete from mudanca_transacao where posicao in (
    select posicao from (
      select posicao, bool_and(momento < now() - interval '30 days') over (order by posicao) as are_old
      from mudanca_transacao order by posicao limit ${BATCH}
    ) oldest where are_old and posicao < (select ultima from historia_mudancas))
  returning posicao
) select count(*)::int as c0 from gone`;

/** Deliveries that have ended. */
const OLD_DELIVERIES = `with gone as (
  delete from entrega_webhook where id in (
    select id from entrega_webhook where concluida_em < now() - interval '7 days'
    order by concluida_em limit ${BATCH} for update skip locked)
  returning id
) select count(*)::int as c0 from gone`;

/**
 * What paused webhooks wait to send. The earliest event that a webhook loses becomes the report of the gap, under a new message
 * id: in its place, the report comes before what follows. A gap that was reported before it, and not sent yet, covers it.
 */
const FORGOTTEN_DELIVERIES = `with forgotten as materialized (
  select e.id, e.id_webhook, e.evento from entrega_webhook e
  join webhook w on w.id = e.id_webhook and w.situacao = 'pausado'
  where e.situacao = 'pendente' and e.evento <> '${GAP_EVENT}' and e.criado_em < now() - interval '30 days'
), gap as materialized (
  select min(f.id) as id from forgotten f where f.evento <> '${TEST_EVENT}' group by f.id_webhook
  having not exists (
    select from entrega_webhook g where g.id_webhook = f.id_webhook and g.situacao = 'pendente'
      and g.evento = '${GAP_EVENT}' and g.id < min(f.id))
), reported as (
  update entrega_webhook e set evento = '${GAP_EVENT}', tabela = 'webhook', id_registro = e.id_webhook, mudanca = '{}',
    mensagem = gen_random_uuid(), criado_em = now(), proxima_em = now(), tentativas = 0, tentada_em = null,
    status = null, resposta = null, erro = null, reserva = null, reservada_ate = null
  from gap where e.id = gap.id and e.situacao = 'pendente' and e.evento <> '${GAP_EVENT}'
)
delete from entrega_webhook e using forgotten f
where e.id = f.id and e.situacao = 'pendente' and e.evento <> '${GAP_EVENT}' and f.id not in (select id from gap)`;

const OLD_REFUSALS = 'select auditoria_esquecer_recusas() as c0';

/**
 * Deletes data that is no longer needed: stored answers of idempotency keys, claims of uploads, reports of imports,
 * ended sessions, deliveries to webhooks, positions in the feed of changes, refusals. Several processes may call it at
 * the same time.
 */
export async function dropExpired(reader: Reader): Promise<void> {
  for (const ahead of BEGINS_NOW) await reader.rows(ahead, []);
  await dropOldAnswers(reader);
  await dropOldClaims(reader, GRACE_HOURS * 3_600);
  await reader.rows(OLD_REPORTS, []);
  await reader.rows(FORGOTTEN_DELIVERIES, []);
  for (const expired of [ENDED_SESSIONS, OLD_DELIVERIES, OLD_CHANGES])
    for (;;) {
      const [row] = await reader.rows(expired, []);
      if ((row![0] as number) < BATCH) break;
    }
  await reader.rows(OLD_REFUSALS, []);
}
