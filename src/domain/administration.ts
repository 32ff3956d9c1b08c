import type { EntityManager } from '@mikro-orm/postgresql';
import { takeLock } from '../database/locks.ts';
import type { Registro } from '../entities/registro.ts';
import { AppError, conflict } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { messages } from '../messages.ts';
import { allGrants, gained, hasAdministrator, mayGive, profilesOf, type Grant } from '../access/grants.ts';
import type { Complete } from './records.ts';

interface Administration<T, I> {
  /** Sets what its columns cannot say, before the rules are looked at. */
  prepare?: Complete<T, I>;
  /** The profiles that the change hands out whole. */
  gives?: (record: T, em: EntityManager) => Iterable<number> | Promise<Iterable<number>>;
  /** The profiles that the record is part of, as it is stored: asked before the change and after it. */
  edits?: (record: T, em: EntityManager) => Promise<number[]>;
}

/**
 * Makes a write to the permission tables, one at a time, keep their rules: nobody gives away what they do not manage,
 * nobody edits a profile of their own that they do not manage whole, and somebody remains who manages this service.
 * Given is what profiles give afterwards and did not before, in whichever table it was changed; the caller's own
 * rights count as they stood before, looked up under the lock.
 * @throws FORBIDDEN, CONFLICT
 */
export function administered<T extends Registro, I extends object>({
  prepare,
  gives = () => [],
  edits = async () => [],
}: Administration<T, I> = {}): Complete<T, I> {
  const complete: Complete<T, I> = async (record, input, em, call) => {
    await call.context.authorizeAnew(call.access, em);
    const own = await profilesOf(em, (await call.context.session()).idPessoa);
    const before = await allGrants(em);
    const editedBefore = await edits(record, em);
    await prepare?.(record, input, em, call);
    await em.flush();
    const after = await allGrants(em);
    const edited = [...editedBefore, ...(await edits(record, em))].filter(id => own.has(id));
    requireHeld(ofProfiles(before, [...own]), [
      ...gained(before, after),
      ...ofProfiles(after, [...(await gives(record, em))]),
      ...ofProfiles([...before, ...after], edited),
    ]);
    if (!(await hasAdministrator(em))) throw conflict(messages.lastAdministrator);
  };
  return Object.assign(complete, { first: takeTurn });
}

/** Waits until no other transaction changes who may do what, and keeps others from it until this one ends. */
export async function takeTurn(em: EntityManager): Promise<void> {
  await takeLock(transactionReader(em), 'administration');
}

const ofProfiles = (grants: readonly Grant[], ids: readonly number[]): Grant[] =>
  grants.filter(({ idPerfil }) => ids.includes(idPerfil));

function requireHeld(held: readonly Grant[], given: readonly Grant[]): void {
  const lacking = given.find(grant => !mayGive(held, grant));
  if (!lacking) return;
  const { sistema, controller } = lacking;
  throw new AppError('FORBIDDEN', { detail: messages.mustManage(controller ?? `${sistema}: *`) });
}
