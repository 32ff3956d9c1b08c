import type { Session } from '../access/access.ts';
import { mayAct } from '../access/session.ts';
import { LockMode, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { writtenSince } from '../listing/totals.ts';
import { transactionReader } from '../database/reader.ts';
import { Alerta, ALERTS, subjects } from '../entities/almoxarifado/alerta.ts';
import {
  alertKinds,
  ReconhecimentoAlerta,
  UNSENT_MAP,
  type AlertKind,
} from '../entities/almoxarifado/reconhecimento-alerta.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { conflict, notFound } from '../errors.ts';
import { decidedByAuthor } from './ledger.ts';
import { IS_AUTHOR } from './ledger-statements.ts';
import { mapTexts } from './messages.ts';
import type { Context } from '../request/context.ts';
import type { Call } from '../request/call.ts';
import type { Services } from '../request/services.ts';
import { writing } from '../request/writing.ts';
import { SharedRun } from '../runtime/shared-run.ts';

export const ALERTS_CONTROLLER = 'almoxarifadoquimicos/alertas';
/** With level 1 on the register of controlled chemicals, a person gets alerts about maps that were not sent. */
const REGISTER_CONTROLLER = 'relatorios/almoxarifado-quimicos/livro-controlados';
export const APPROVALS_CONTROLLER = 'almoxarifadoquimicos/aprova-movimentacoes';

/** An alert, and whether the person is an author of the movement that it concerns. */
const ALERT = `
select a.tipo, a.quantidade, a.minimo, ${IS_AUTHOR}
from (${ALERTS}) a left join movimentacao v on v.id = a.id_movimentacao
where a.id = $1`;

type Figures = [quantidade: number | null, minimo: number | null];

/**
 * Locks the cause of an alert, so that acknowledgements of it follow each other and each stores what it read. Stock below
 * its minimum is not locked: if it shrinks meanwhile, the alert is open.
 */
const HOLD: Record<(typeof subjects)[number], string> = {
  estoqueMinimo: 'select id from estoque_minimo where id = $1 for no key update',
  estoque: 'select id from estoque where id = $1 for no key update',
  solicitacaoAprovacao: `select v.id from solicitacao_aprovacao s join movimentacao v on v.id = s.id_movimentacao
    where s.id = $1 for no key update of v`,
};

/** The column for the subject of an alert, and the id of the subject. */
function subjectOf(id: number): { property: (typeof subjects)[number]; id: number } {
  return { property: subjects.at(id % subjects.length)!, id: Math.floor(id / subjects.length) };
}

interface Acknowledgement {
  ate: string;
  motivo?: string | null;
}

/**
 * Acknowledges an alert until a day. Replaces an earlier acknowledgement.
 * @throws NOT_FOUND when its cause no longer exists; VALIDATION_FAILED for a day that is past or too far away;
 * FORBIDDEN for a movement that the caller may not decide, as its author may not, so that nobody can hide pending movements
 * from those who decide; CONFLICT for a map, because its alert ends when the map is sent
 */
export async function acknowledgeAlert(call: Call, id: number, input: Acknowledgement): Promise<Alerta> {
  const { idPessoa } = await call.context.session();
  await requireDecider(call, id);
  return writing(call, async em => {
    const reader = transactionReader(em);
    const { property, id: subject } = subjectOf(id);
    await reader.rows(HOLD[property], [subject]);
    const [row] = await reader.rows(ALERT, [id, idPessoa]);
    if (!row) throw notFound();
    const [tipo, quantidade, minimo, isOwn] = row as [AlertKind, ...Figures, isOwn: boolean];
    if (tipo === UNSENT_MAP) throw conflict(mapTexts.mapNotSent);
    if (isOwn && !call.context.services.config.APPROVE_OWN) throw decidedByAuthor();
    const known = await acknowledgementOf(em, id);
    const values = {
      tipo,
      quantidade,
      minimo,
      pessoa: em.getReference(Pessoa, idPessoa),
      // Today in the institution's time zone, which is also that of the database session.
      desde: raw('current_date'),
      ate: input.ate,
      motivo: input.motivo ?? null,
      alteradoPor: idPessoa,
    };
    if (known) em.assign(known, values as never);
    else em.create(ReconhecimentoAlerta, { ...values, [property]: subject, criadoPor: idPessoa } as never);
    await em.flush();
    return (await call.written(em, Alerta, { id }))!;
  });
}

/**
 * Removes an acknowledgement. @throws NOT_FOUND when there is none, or the cause of the alert no longer exists;
 * FORBIDDEN
 */
export async function reopenAlert(call: Call, id: number): Promise<Alerta> {
  await requireDecider(call, id);
  if (id < 0) throw notFound();
  return writing(call, async em => {
    const known = await acknowledgementOf(em, id);
    if (!known) throw notFound();
    em.remove(known);
    await em.flush();
    const alert = await call.written(em, Alerta, { id });
    if (!alert) throw notFound();
    return alert;
  });
}

function acknowledgementOf(em: EntityManager, id: number): Promise<ReconhecimentoAlerta | null> {
  const subject = subjectOf(id);
  return em.findOne(
    ReconhecimentoAlerta,
    { [subject.property]: subject.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

async function requireDecider({ context }: Call, id: number): Promise<void> {
  if (id < 0) return context.caller.authorize({ kind: 'level', controller: REGISTER_CONTROLLER, level: 1 });
  if (subjectOf(id).property === 'solicitacaoAprovacao')
    await context.caller.authorize({ kind: 'level', controller: APPROVALS_CONTROLLER, level: 3 });
}

/** The tables that determine the alerts. The audit trail records each change of them. */
const TABLES = [
  'estoque_minimo',
  'estoque',
  'lote',
  'material',
  'tipo_controle',
  'substancia_controlada',
  'movimentacao',
  'solicitacao_aprovacao',
  'fechamento_mapa',
  'reconhecimento_alerta',
];

const COUNT = `(
  select coalesce(json_object_agg(tipo, quantos), '{}')
  from (select tipo, count(*) as quantos from (${ALERTS}) a where aberto group by tipo) c
)`;
const OF = 'pg_current_snapshot()::text, current_date::text';
const COUNTED = `select ${COUNT}, ${OF}`;
/** Counts if the day is over, or a table has changed since the snapshot; otherwise null. */
const RECOUNTED = `
select case when current_date::text <> $2 or ${writtenSince(TABLES, '$1')} then ${COUNT} end, ${OF}`;

/** Counts, with the snapshot and the day to which they apply. */
interface AlertCounts {
  counts: Map<AlertKind, number>;
  snapshot: string;
  day: string;
  until: number;
}

/** Each person's menu contains the counts. Counting reads much of the stock, so all requests share one count. */
const counts = new WeakMap<Services, SharedRun<Map<AlertKind, number>>>();

/** Maximum age, the same as that of cached totals. */
const MAX_AGE_MS = 60_000;

/** The kinds of alerts that the caller gets. */
export const kindsFor = async (context: Context): Promise<readonly AlertKind[]> =>
  alertKinds.values.filter(isHeardBy(await context.session()));

/** Whether a person gets a kind of alert. */
export const isHeardBy =
  (session: Session) =>
  (kind: AlertKind): boolean =>
    kind !== UNSENT_MAP || mayAct(session, REGISTER_CONTROLLER, 1);

/**
 * How many alerts of each kind are open. It is counted on the primary: what one session has seen there, all may see. Whoever
 * tells a client calls `sawPrimary`.
 */
export function openAlerts(services: Services): Promise<Map<AlertKind, number>> {
  let shared = counts.get(services);
  if (!shared) counts.set(services, (shared = counting(services)));
  return shared.run();
}

function counting(services: Services): SharedRun<Map<AlertKind, number>> {
  let counted: AlertCounts | undefined;
  return new SharedRun(async () => {
    const { queryReader: reader } = services;
    const known = counted && counted.until > performance.now() ? counted : undefined;
    const [row] = known
      ? await reader.rows(RECOUNTED, [known.snapshot, known.day])
      : await reader.rows(COUNTED, []);
    const [found, snapshot, day] = row as [Record<AlertKind, number> | null, string, string];
    if (found === null) return known!.counts;
    const until = performance.now() + MAX_AGE_MS;
    counted = { counts: new Map(Object.entries(found) as [AlertKind, number][]), snapshot, day, until };
    return counted.counts;
  });
}
