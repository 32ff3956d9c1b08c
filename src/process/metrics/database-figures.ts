import { OPENS } from '../../access/calling-system.ts';
import { HOLDS } from '../../access/session.ts';
import { countContradictions } from '../../domain/reconciliation.ts';
import { unchainedSeconds } from '../../domain/audit/chain.ts';
import type { Reader } from '../../database/reader.ts';
import type { AlertKind } from '../../entities/almoxarifado/reconhecimento-alerta.ts';

interface DatabaseFigure {
  name: string;
  help: string;
  /** How long a value is cached. */
  seconds: number;
  /** The value; undefined if there is none to show. */
  read: (reader: Reader) => Promise<number | undefined>;
}

const KEYS_LAST = `select coalesce(max(coalesce(extract(epoch from k.expira_em - now())::float8, 'infinity')), 0)
from sistema s join chave_api k on k.id_sistema = s.id where ${OPENS}`;

/** Values that need a query. They are missing while the database is not available. */
export const databaseFigures: readonly DatabaseFigure[] = [
  {
    name: 'sii_approvals_pending',
    help: 'Movements of controlled materials that wait for a decision',
    seconds: 15,
    read: reader => numberOf(reader, `select count(*)::int from solicitacao_aprovacao where situacao = 'P'`),
  },
  {
    name: 'sii_approvals_oldest_seconds',
    help: 'Time since the oldest of them was asked for; 0 when none waits',
    seconds: 15,
    read: reader =>
      numberOf(
        reader,
        `select coalesce(extract(epoch from now() - min(solicitado_em)), 0)::float8
           from solicitacao_aprovacao where situacao = 'P'`,
      ),
  },
  {
    name: 'sii_sessions_open',
    help: 'Logins that are valid',
    seconds: 15,
    read: reader => numberOf(reader, `select count(*)::int from sessao s where ${HOLDS}`),
  },
  {
    name: 'sii_keys_last_seconds',
    help: 'Time until no API key opens the service any more; 0 when none does, no value while one never expires',
    seconds: 15,
    read: async reader => {
      const left = await numberOf(reader, KEYS_LAST);
      return left === Infinity ? undefined : left;
    },
  },
  {
    name: 'sii_audit_unchained_seconds',
    help: 'Age of the oldest entry of the audit trail that is not chained yet; 0 when all are',
    seconds: 15,
    read: unchainedSeconds,
  },
  {
    name: 'sii_webhooks_paused',
    help: 'Webhooks that the service has paused: they failed for three days, or their owner or secret is gone',
    seconds: 15,
    read: reader =>
      numberOf(reader, `select count(*)::int from webhook where motivo in ('falhas', 'direitos', 'segredo')`),
  },
  {
    name: 'sii_webhook_oldest_seconds',
    help: 'Age of the oldest event that an active webhook has not accepted yet; 0 when there is none',
    seconds: 15,
    read: reader =>
      numberOf(
        reader,
        `select coalesce(extract(epoch from now() - min(e.criado_em)), 0)::float8 from entrega_webhook e
         join webhook w on w.id = e.id_webhook and w.situacao = 'ativo' where e.situacao = 'pendente'`,
      ),
  },
  {
    name: 'sii_ledger_discrepancies',
    help: 'Cells of stock, batches and reversals that movements do not explain; anything but 0 is an alarm',
    // It adds up all movements, which is slow.
    seconds: 300,
    read: countContradictions,
  },
];

/** Open alerts of the storeroom, of these kinds. Approvals have metrics of their own. */
export const alertFigures: readonly { name: string; help: string; kinds: readonly AlertKind[] }[] = [
  {
    name: 'sii_alerts_expired',
    help: 'Places with stock that has expired, which nobody has acknowledged',
    kinds: ['vencido'],
  },
  {
    name: 'sii_alerts_expiring',
    help: 'Places with stock that expires within 90 days, which nobody has acknowledged',
    kinds: ['vence_em_30_dias', 'vence_em_90_dias'],
  },
  {
    name: 'sii_alerts_below_minimum',
    help: 'Minimum quantities that are not there, which nobody has acknowledged',
    kinds: ['abaixo_do_minimo'],
  },
];

/** The value of a statement that returns one number. */
export const numberOf = async (reader: Reader, text: string): Promise<number> =>
  (await reader.rows(text, []))[0]![0] as number;
