import type { EntityManager } from '@mikro-orm/postgresql';
import { takeLock } from '../database/locks.ts';
import type { Registro } from '../entities/registro.ts';
import { AppError, conflict } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { accountTexts } from './messages.ts';
import {
  allGrantable,
  allGrants,
  gained,
  hasAdministrator,
  mayGive,
  profilesOf,
  type Grant,
} from '../access/grants.ts';
import type { Complete } from './records.ts';

interface Administration<T, I> {
  /** Sets fields that an input cannot express, before the rules are checked. */
  prepare?: Complete<T, I>;
  /** The profiles that the change grants as a whole. */
  gives?: (record: T, em: EntityManager) => Iterable<number> | Promise<Iterable<number>>;
  /** The profiles that the change links to somebody, or takes from somebody, without their permissions. Called before it. */
  links?: (record: T, em: EntityManager) => Promise<number[]>;
  /** The profiles that contain the stored record. Called before and after the change. */
  edits?: (record: T, em: EntityManager) => Promise<number[]>;
}

/**
 * Enforces the rules of the permission tables on a write: nobody grants what they do not manage, nobody deletes it or
 * lowers it, nobody edits their own profile unless they manage everything in it, and somebody still manages this service
 * afterwards. What a change grants is the difference between the effective permissions before and after it. Whoever takes
 * something away makes it inactive, so that `managesAllOf` still counts it. The caller's own permissions are those before
 * the change. Such writes run one at a time, under a lock.
 * @throws FORBIDDEN, CONFLICT
 */
export function administered<T extends Registro, I extends object>({
  prepare,
  gives = () => [],
  links = async () => [],
  edits = async () => [],
}: Administration<T, I> = {}): Complete<T, I> {
  const complete: Complete<T, I> = async (record, input, em, call) => {
    await call.context.caller.authorizeAnew(call.access, em);
    const own = await profilesOf(em, (await call.context.session()).idPessoa);
    const before = await allGrants(em);
    const possible = await allGrantable(em);
    const linked = await links(record, em);
    const editedBefore = await edits(record, em);
    await prepare?.(record, input, em, call);
    await em.flush();
    const after = await allGrants(em);
    const possibleAfter = await allGrantable(em);
    const edited = [...editedBefore, ...(await edits(record, em))].filter(id => own.has(id));
    requireHeld(ofProfiles(before, [...own]), [
      ...gained(before, after),
      ...gained(possible, possibleAfter),
      ...gained(possibleAfter, possible),
      ...ofProfiles(possible, linked),
      ...ofProfiles(after, [...(await gives(record, em))]),
      ...ofProfiles([...before, ...after], edited),
    ]);
    await requireAdministrator(em);
  };
  return Object.assign(complete, { first: takeTurn, turns: () => [['record', 'administration'] as const] });
}

/** Checks that the caller may grant everything that these profiles grant. @throws FORBIDDEN */
export async function requireGivable(
  em: EntityManager,
  caller: number,
  profiles: Iterable<number>,
): Promise<void> {
  const grants = await allGrants(em);
  requireHeld(ofProfiles(grants, [...(await profilesOf(em, caller))]), ofProfiles(grants, [...profiles]));
}

/** Checks that somebody still manages the service. @throws CONFLICT */
export async function requireAdministrator(em: EntityManager): Promise<void> {
  if (!(await hasAdministrator(em))) throw conflict(accountTexts.lastAdministrator);
}

/** Waits until no other transaction changes permissions, and blocks such changes until this one ends. */
export async function takeTurn(em: EntityManager): Promise<void> {
  await takeLock(transactionReader(em), 'administration');
}

const ofProfiles = (grants: readonly Grant[], ids: readonly number[]): Grant[] =>
  grants.filter(({ idPerfil }) => ids.includes(idPerfil));

function requireHeld(held: readonly Grant[], given: readonly Grant[]): void {
  const lacking = given.find(grant => !mayGive(held, grant));
  if (!lacking) return;
  const { sistema, controller } = lacking;
  throw new AppError('FORBIDDEN', { detail: accountTexts.mustManage(controller ?? `${sistema}: *`) });
}
