import type { Context } from '../request/context.ts';
import { writingAs } from '../request/writing.ts';
import { AlteracaoDiretorio } from '../entities/institucional/alteracao-diretorio.ts';
import type { Alongside } from './directory.ts';

interface RecordedOptions {
  /** Writes before and after the action. */
  before?: Alongside | undefined;
  after?: Alongside | undefined;
  /** Whether the change completes what the request has already done (`WriteOptions`). */
  completes?: boolean;
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
  { before, after, completes = false }: RecordedOptions = {},
): Promise<void> {
  const { idPessoa } = await context.session();
  const authors = { criadoPor: idPessoa, alteradoPor: idPessoa };
  const id = await writingAs({ context }, { completes }, async em => {
    await before?.(em);
    return em.insert(AlteracaoDiretorio, { email, alteracoes, ...authors });
  });
  await act();
  await writingAs({ context }, { completes: true }, async em => {
    await after?.(em);
    await em.nativeUpdate(AlteracaoDiretorio, { id }, { confirmada: true });
  });
}
