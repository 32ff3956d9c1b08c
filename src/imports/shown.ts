import type { Reader } from '../database/reader.ts';
import { Importacao } from '../entities/institucional/importacao.ts';
import type { LinhaRepetida, ProblemaImportacao } from '../entities/institucional/importacao.ts';
import { mayAct } from '../access/session.ts';
import { AppError, notFound } from '../errors.ts';
import type { Scope } from '../listing/list.ts';
import type { Selection } from '../listing/selection.ts';
import type { Context } from '../request/context.ts';
import { messages } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { importables } from './import-file.ts';

export const IMPORTS_CONTROLLER = 'institucional/importacoes';

const MOMENT = `to_char(a.iniciada_em at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const PROGRESS = `select a.id_importacao, ${MOMENT}, a.lidas, a.gravadas from andamento_importacao a
  where a.id_importacao = any($1)`;
const REPORTS = `select a.id_importacao, ${MOMENT}, a.lidas, a.gravadas, a.relatorio, i.registros, i.criado_por
  from andamento_importacao a join importacao i on i.id = a.id_importacao where a.id_importacao = any($1)`;

const SHORT = ['iniciadaEm', 'lidas', 'gravadas'] as const;
const LONG = ['problemas', 'repeticoes'] as const;

interface Report {
  problemas: ProblemaImportacao[];
  repeticoes: LinhaRepetida[];
}

/** Adds the selected progress and reports to imports, in one statement. */
export async function addProgress(
  { context, listing: { reader, budget } }: Pick<Call, 'context' | 'listing'>,
  imports: readonly Importacao[],
  selection: Selection,
): Promise<void> {
  const isLong = LONG.some(name => selection[name]);
  if (imports.length === 0 || !(isLong || SHORT.some(name => selection[name]))) return;
  const rows = await reader.rows(isLong ? REPORTS : PROGRESS, [imports.map(({ id }) => id)], { budget });
  const byId = new Map(rows.map(row => [row[0], row]));
  const hidden = isLong ? await hiddenFrom(context) : () => undefined;
  for (const one of imports) {
    const [, iniciadaEm = null, lidas = null, gravadas = null, report, registros, author] =
      byId.get(one.id) ?? [];
    const isHidden = hidden(registros as string, author as number | null) !== undefined;
    const { problemas = null, repeticoes = null } = (isHidden ? {} : (report ?? {})) as Partial<Report>;
    Object.assign(one, { iniciadaEm, lidas, gravadas, problemas, repeticoes });
  }
}

const REPORT = 'select relatorio from andamento_importacao where id_importacao = $1';

/** The report of an import; undefined before its end, and after the report was deleted. */
export async function reportOf(reader: Reader, id: number): Promise<Report | undefined> {
  const [row] = await reader.rows(REPORT, [id]);
  return (row?.[0] as Report | null | undefined) ?? undefined;
}

/** The condition that limits callers who may not read all imports to their own. */
export async function ownOnly(context: Context): Promise<Scope> {
  if (await context.caller.readsAll(IMPORTS_CONTROLLER)) return {};
  return { criadoPor: (await context.session()).idPessoa };
}

/**
 * Returns what the caller needs for the contents of an import, by its records and its author: a controller, on which they
 * have not level 1; undefined if they need nothing. A file has what the lists of its records show.
 */
async function hiddenFrom(context: Context) {
  const [session, known] = [await context.session(), await importables()];
  return (registros: string, author: number | null): string | undefined =>
    author === session.idPessoa
      ? undefined
      : known.get(registros)?.managedBy.find(controller => !mayAct(session, controller, 1));
}

/**
 * An import whose contents the caller may read.
 * @throws NOT_FOUND for an import that the caller may not see; FORBIDDEN if they may not read its records
 */
export async function requireContents(context: Context, id: number): Promise<Importacao> {
  const found = await context.services.orm.em.fork().findOne(Importacao, { id, ...(await ownOnly(context)) });
  if (!found) throw notFound();
  const controller = (await hiddenFrom(context))(found.registros, found.criadoPor);
  if (controller !== undefined)
    throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(controller, 1) });
  return found;
}
