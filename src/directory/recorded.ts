import type { Context } from '../request/context.ts';
import { writing } from '../request/writing.ts';
import { AlteracaoDiretorio } from '../entities/institucional/alteracao-diretorio.ts';
import type { Alongside } from './directory.ts';

/** Writes before and after the action. */
interface AuditWrites {
  before?: Alongside | undefined;
  after?: Alongside | undefined;
}

/** Changed attributes, each with its value before and after. */
export type Alterations = Record<string, [before: unknown, after: unknown]>;

/**
 * Runs a change on an external server. The audit trail records it before the request, and confirms it afterwards. So
 * the trail is complete even if this process dies in between.
 */
export async function recorded(
  context: Context,
  email: string,
  alteracoes: Alterations,
  act: () => Promise<void>,
  { before, after }: AuditWrites = {},
): Promise<void> {
  const { idPessoa } = await context.session();
  const authors = { criadoPor: idPessoa, alteradoPor: idPessoa };
  const id = await writing({ context }, async em => {
    await before?.(em);
    return em.insert(AlteracaoDiretorio, { email, alteracoes, ...authors });
  });
  await act();
  await writing({ context }, async em => {
    await after?.(em);
    await em.nativeUpdate(AlteracaoDiretorio, { id }, { confirmada: true });
  });
}
