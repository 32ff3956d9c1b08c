import type { Reader } from '../database/reader.ts';
import { dropOldAnswers } from '../request/idempotency.ts';
import { dropOldClaims, GRACE_HOURS } from './uploads.ts';

/** Rows of one statement, so that none takes long. */
const BATCH = 1_000;

/** The audit trail keeps when each session began and ended. */
const ENDED_SESSIONS = `with gone as (
  delete from sessao where id in (
    select id from sessao where least(expira_em, encerrada_em) < now() - interval '3 days'
    order by id limit ${BATCH} for update skip locked)
  returning id
) select count(*)::int as c0 from gone`;

/** Reports of imports repeat values of their files. */
const OLD_REPORTS = `delete from andamento_importacao a using importacao i
  where i.id = a.id_importacao and i.terminada_em < now() - interval '30 days'`;

const OLD_REFUSALS = 'select auditoria_esquecer_recusas() as c0';

/**
 * Deletes what is no longer needed: answers to keys, announcements of uploads, reports of imports, ended
 * sessions, refusals. Several processes
 * may do so at once.
 */
export async function dropExpired(reader: Reader): Promise<void> {
  await dropOldAnswers(reader);
  await dropOldClaims(reader, GRACE_HOURS * 3_600);
  await reader.rows(OLD_REPORTS, []);
  for (;;) {
    const [row] = await reader.rows(ENDED_SESSIONS, []);
    if ((row![0] as number) < BATCH) break;
  }
  await reader.rows(OLD_REFUSALS, []);
}
