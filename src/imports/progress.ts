import type { Reader } from '../database/reader.ts';
import { readable } from '../text/readable.ts';
import { shortened } from './problems.ts';
import { keepRefused } from './refused.ts';

/** Statements on the records of imports. If a running import was not updated for a minute, its process has died. */

/** Most problems and repetitions in a report. */
export const LISTED = 1_000;
const LONGEST_DETAIL = 3_999;
/** Interval at which a process updates its running import. */
export const BEAT_MS = 1_000;

const SEEN = `update andamento_importacao a set visto_em = now(), lidas = j.lidas, gravadas = j.gravadas,
    iniciada_em = case when j.iniciada then coalesce(a.iniciada_em, now()) end
  from jsonb_to_recordset($1::jsonb) as j (id int, iniciada boolean, lidas int, gravadas int)
  where a.id_importacao = j.id and a.relatorio is null`;

const BREAK_OFF = `update importacao i
  set situacao = 'interrompida', terminada_em = now(), alterado_em = now(), detalhe = $1
  from andamento_importacao a
  where a.id_importacao = i.id and i.situacao = 'em_andamento' and a.visto_em < now() - interval '1 minute'`;

const END = `with ended as (
    update importacao set situacao = $2, detalhe = $3, linhas = $4, criadas = $5, alteradas = $6, iguais = $7,
      repetidas = $8, recusadas = $9, total_problemas = $10, terminada_em = clock_timestamp(), alterado_em = now()
    where id = $1 and situacao = 'em_andamento' returning id
  ), kept as (
    update andamento_importacao a set visto_em = now(), relatorio = $11::jsonb,
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

/** Stores the progress of the imports of this process. */
export async function storeProgress(reader: Reader, running: readonly Progress[]): Promise<void> {
  if (running.length > 0) await reader.rows(SEEN, [JSON.stringify(running)]);
}

/** Ends imports whose process has died. Their changes were never committed. */
export async function endLost(reader: Reader, why: string): Promise<void> {
  await reader.rows(BREAK_OFF, [why]);
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
