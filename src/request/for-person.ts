import { managesAllOf } from '../access/grants.ts';
import { AppError } from '../errors.ts';
import type { Context } from './context.ts';
import { requestTexts } from './messages.ts';

/** @throws FORBIDDEN when it is another person and the caller may not read on this controller */
export async function readFor({ caller }: Context, idPessoa: number, controller: string): Promise<void> {
  const session = await caller.session();
  if (session.idPessoa !== idPessoa) await caller.authorize({ kind: 'level', controller, level: 1 });
}

/** @throws FORBIDDEN when it is another person and the caller may not act for others on this controller */
export async function actFor(
  { caller }: Context,
  idPessoa: number | undefined,
  controller: string,
): Promise<void> {
  const session = await caller.session();
  if (session.idPessoa !== idPessoa) await caller.authorize({ kind: 'level', controller, level: 3 });
}

/**
 * Requires `actFor`, and level 3 on everything that the person's profiles grant or have granted. For operations that
 * let the caller become that person, or lock them out.
 * @throws FORBIDDEN
 */
export async function actAs(
  context: Context,
  idPessoa: number | undefined,
  controller: string,
  reader = context.services.listing.reader,
): Promise<void> {
  await actFor(context, idPessoa, controller);
  const caller = (await context.session()).idPessoa;
  if (idPessoa === undefined || idPessoa === caller) return;
  if (!(await managesAllOf(reader, caller, idPessoa)))
    throw new AppError('FORBIDDEN', { detail: requestTexts.mustManageAll });
}
