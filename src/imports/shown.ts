import type { Budget } from '../database/budget.ts';
import type { Reader } from '../database/reader.ts';
import { Importacao } from '../entities/institucional/importacao.ts';
import type { LinhaRepetida, ProblemaImportacao } from '../entities/institucional/importacao.ts';
import { notFound } from '../errors.ts';
import type { Scope } from '../listing/list.ts';
import type { Selection } from '../listing/selection.ts';
import type { Context } from '../request/context.ts';
import { unpacked, type RefusedRows } from './report.ts';

export const IMPORTS_CONTROLLER = 'institucional/importacoes';

const MOMENT = `to_char(iniciada_em at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const PROGRESS = `select id_importacao, ${MOMENT}, lidas, gravadas, null from andamento_importacao
  where id_importacao = any($1)`;
const REPORTS = PROGRESS.replace('null', 'relatorio');

const SHORT = ['iniciadaEm', 'lidas', 'gravadas'] as const;
const LONG = ['problemas', 'repeticoes'] as const;

interface Report {
  problemas: ProblemaImportacao[];
  repeticoes: LinhaRepetida[];
}

/** Adds the selected progress and reports to imports, in one statement. */
export async function addProgress(
  { reader, budget }: { reader: Reader; budget?: Budget | undefined },
  imports: readonly Importacao[],
  selection: Selection,
): Promise<void> {
  const isLong = LONG.some(name => selection[name]);
  if (imports.length === 0 || !(isLong || SHORT.some(name => selection[name]))) return;
  const rows = await reader.rows(isLong ? REPORTS : PROGRESS, [imports.map(({ id }) => id)], { budget });
  const byId = new Map(rows.map(row => [row[0], row]));
  for (const one of imports) {
    const [, iniciadaEm = null, lidas = null, gravadas = null, report = null] = byId.get(one.id) ?? [];
    const { problemas = null, repeticoes = null } = (report ?? {}) as Partial<Report>;
    Object.assign(one, { iniciadaEm, lidas, gravadas, problemas, repeticoes });
  }
}

const REPORT = 'select relatorio from andamento_importacao where id_importacao = $1';

/** The report of an import; undefined before its end, and after the report was deleted. */
export async function reportOf(reader: Reader, id: number): Promise<Report | undefined> {
  const [row] = await reader.rows(REPORT, [id]);
  return (row?.[0] as Report | null | undefined) ?? undefined;
}

const REFUSED = 'select recusadas from andamento_importacao where id_importacao = $1';

/** The refused rows of an import; undefined if there are none, or they were deleted. */
export async function refusedRows(reader: Reader, id: number): Promise<RefusedRows | undefined> {
  const [row] = await reader.rows(REFUSED, [id]);
  return row?.[0] ? unpacked(row[0] as Buffer) : undefined;
}

/** The condition that limits callers who may not read all imports to their own. */
export async function ownOnly(context: Context): Promise<Scope> {
  if (await context.caller.readsAll(IMPORTS_CONTROLLER)) return {};
  return { criadoPor: (await context.session()).idPessoa };
}

/** @throws NOT_FOUND for an import that the caller may not see */
export async function requireShown(context: Context, id: number): Promise<void> {
  const scope = await ownOnly(context);
  const seen = await context.services.orm.em.fork().count(Importacao, { id, ...scope });
  if (seen === 0) throw notFound();
}
