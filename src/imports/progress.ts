import type { Reader } from '../database/reader.ts';
import { readable } from '../text/readable.ts';
import { shortened } from './problems.ts';
import { keepRefused } from './refused.ts';

/** Statements on the records of imports. If a running import was not seen for a minute, it is lost. */

/** Most problems and repetitions in a report. */
export const LISTED = 1_000;
const LONGEST_DETAIL = 3_999;
/** Interval at which a process updates its running import. */
export const BEAT_MS = 1_000;

/** Name of the connection of an import, before its id. */
export const BACKEND = 'sii-importacao-';

const BACKENDS = `select pid, substring(application_name from '^${BACKEND}([0-9]{1,18})$')::bigint as id
  from pg_stat_activity where datname = current_database() and usename = current_user`;

/** Its process may live although the server has ended its connection. Then nothing can come of it. */
const SEEN = `with told as (
    select * from jsonb_to_recordset($1::jsonb) as j (id int, iniciada boolean, lidas int, gravadas int)
  ), seen as (
    update andamento_importacao a set lidas = j.lidas, gravadas = j.gravadas,
      visto_em = case when not j.iniciada or j.id in (select id from (${BACKENDS}) s) then now() else a.visto_em end,
      iniciada_em = case when j.iniciada then coalesce(a.iniciada_em, now()) end
    from told j where a.id_importacao = j.id and a.relatorio is null
  )
  select exists (
    select from told j join importacao i on i.id = j.id where j.iniciada and i.situacao = 'interrompida'
  ) as c0`;

const BREAK_OFF = `update importacao i
  set situacao = 'interrompida', terminada_em = now(), alterado_em = now(), detalhe = $1
  from andamento_importacao a
  where a.id_importacao = i.id and i.situacao = 'em_andamento' and a.visto_em < now() - interval '1 minute'`;

/** They hold locks, and can commit nothing. */
const END_BACKENDS = `select pg_terminate_backend(s.pid) as c0 from (${BACKENDS}) s join importacao i using (id)
  where i.situacao = 'interrompida'`;

const END = `with ended as (
    update importacao set situacao = $2, detalhe = $3, linhas = $4, criadas = $5, alteradas = $6, iguais = $7,
      repetidas = $8, recusadas = $9, total_problemas = $10, terminada_em = clock_timestamp(), alterado_em = now()
    where id = $1 and situacao = 'em_andamento' returning id
  ), kept as (
    update andamento_importacao a set visto_em = now(), relatorio = $11::jsonb,
      iniciada_em = case when $2 = 'interrompida' then a.iniciada_em else coalesce(a.iniciada_em, now()) end,
      lidas = coalesce($4, a.lidas), gravadas = $12
    from ended where a.id_importacao = ended.id
  )
  select id from ended`;

/** The progress of an import. */
export interface Progress {
  id: number;
  iniciada: boolean;
  lidas: number;
  gravadas: number;
}

/** Stores the progress of the imports of this process. Returns whether the one that has begun is broken off. */
export async function storeProgress(reader: Reader, running: readonly Progress[]): Promise<boolean> {
  if (running.length === 0) return false;
  const [[isLost]] = (await reader.rows(SEEN, [JSON.stringify(running)])) as [[boolean]];
  return isLost;
}

/** Ends imports whose process or connection is gone, and frees what they hold. Their changes were never committed. */
export async function endLost(reader: Reader, why: string): Promise<void> {
  await reader.rows(BREAK_OFF, [why]);
  await reader.rows(END_BACKENDS, []);
}

/** The end of an import. */
export interface End {
  situacao: 'concluida' | 'recusada' | 'interrompida';
  detalhe?: string | undefined;
  linhas?: number;
  criadas?: number | undefined;
  alteradas?: number | undefined;
  iguais?: number | undefined;
  repetidas?: number;
  recusadas?: number;
  totalProblemas?: number;
  gravadas?: number;
  relatorio?: object | undefined;
  /** Refused rows in compressed chunks. */
  linhasRecusadas?: readonly Buffer[];
}

/** Ends an import. Returns false if it had already ended: then its transaction must roll back. */
export async function endImport(reader: Reader, id: number, end: End): Promise<boolean> {
  const { situacao, detalhe, linhas, criadas, alteradas, iguais, repetidas, recusadas, totalProblemas } = end;
  const rows = await reader.rows(END, [
    id,
    situacao,
    detalhe === undefined ? null : shortened(readable(detalhe), LONGEST_DETAIL),
    ...[linhas, criadas, alteradas, iguais, repetidas, recusadas, totalProblemas].map(count => count ?? null),
    end.relatorio ? JSON.stringify(end.relatorio) : null,
    end.gravadas ?? 0,
  ]);
  if (rows.length === 0) return false;
  await keepRefused(reader, id, end.linhasRecusadas ?? []);
  return true;
}
