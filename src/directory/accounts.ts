import { managesAllOf } from '../access/grants.ts';
import { levelsNow } from '../access/levels.ts';
import { mayAct } from '../access/session.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { findPeople } from '../domain/login/entering.ts';
import type { Context } from '../request/context.ts';
import { AppError, conflict, invalidField, notFound } from '../errors.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { directoryTexts } from './messages.ts';
import { deadCode, endCodes, issueCode, makerOf, redeemCode, type IssuedCode } from './codes.ts';
import type {
  AccountChange,
  Alongside,
  DirectoryEntry,
  Entries,
  EntryFilter,
  EntryName,
  EntryPart,
} from './directory.ts';
import { includesKey, ownKey, requireNoneDismissed } from './own-entry.ts';
import { normalised } from '../text/normalised.ts';
import { actAs } from '../request/for-person.ts';
import { sawPrimary } from '../request/saw-primary.ts';

/** Controller of the directory's operations. */
export const DIRECTORY_CONTROLLER = 'institucional/usuarios-ldap';

/** Entries of the directory, to be shown. Those of the service's own database are read on the primary. */
export async function findEntries(context: Context, filter: EntryFilter, part: EntryPart): Promise<Entries> {
  const { directory } = context.services;
  const found = await directory.entries(filter, part);
  if (!directory.ask) await sawPrimary(context);
  return found;
}

/** The entry with an e-mail address; null if there is none, or several. */
export async function findEntry(context: Context, email: string): Promise<DirectoryEntry | null> {
  const { entries } = await findEntries(context, { email }, { most: 10 });
  return entries.length === 1 ? entries[0]! : null;
}

/** @throws FORBIDDEN unless one of the entries is the caller's own, or the caller may act for others */
async function actForEntry(
  context: Context,
  own: string | null,
  allowed: readonly EntryName[],
): Promise<void> {
  if (!includesKey(allowed, own))
    await context.caller.authorize({ kind: 'level', controller: DIRECTORY_CONTROLLER, level: 3 });
}

/**
 * The managerial account with an address, if the caller may change it: they hold it, or may act for others and have all
 * permissions of everybody who logs in as the account. `own`: key of the caller's entry.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED when the entry is a person
 */
async function accountToChange(
  context: Context,
  email: string,
): Promise<{ account: DirectoryEntry; own: string | null }> {
  const account = await findEntry(context, email);
  const own = await ownKey(context);
  const holders = account?.responsaveis ?? [];
  await actForEntry(context, own, holders);
  if (!account) throw notFound();
  if (!includesKey(holders, own))
    for (const id of await findPeople(context.services.listing.reader, account.users))
      await actAs(context, id, DIRECTORY_CONTROLLER);
  if (!account.contaGerencial) throw invalidField('VALIDATION_FAILED', 'email', directoryTexts.notAnAccount);
  return { account, own };
}

/** Changes attributes of a managerial account, or suspends or reactivates it. Its code ends when it is suspended. */
export async function changeAccount(context: Context, email: string, change: AccountChange): Promise<void> {
  const { account } = await accountToChange(context, email);
  await context.services.directory.change(context, account, change);
}

/**
 * Creates a code with which somebody can claim an account without a password.
 * @throws CONFLICT when it has a password, INVALID_STATE when it is suspended
 */
export async function newAccountCode(context: Context, email: string): Promise<IssuedCode> {
  const { account } = await accountToChange(context, email);
  if (account.possuiSenha) throw conflict(directoryTexts.accountHasPassword);
  requireLive(account);
  const code = await issueCode(context, account.addresses);
  // Whoever has lost the account meanwhile does not learn the code, and nobody does if it was suspended.
  requireLive((await accountToChange(context, email)).account);
  return code;
}

/**
 * Proof that a client may claim an account: a code or the account's password. `field` is the argument that names the
 * account.
 */
export type Proof = { cvr: string; field: string } | { senha: string; field: string };

/**
 * Attaches a managerial account to a person, who becomes a holder.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED for a wrong proof, INVALID_STATE, DUPLICATE, RATE_LIMITED
 */
export async function attachAccount(
  context: Context,
  email: string,
  accountEmail: string,
  proof: Proof,
): Promise<void> {
  const person = await findEntry(context, email);
  await actForEntry(context, await ownKey(context), person ? [person] : []);
  if (!person) throw notFound();
  if (person.contaGerencial) throw invalidField('VALIDATION_FAILED', 'email', fieldMessages.notAPerson);
  if (person.suspensa) throw invalidField('VALIDATION_FAILED', 'email', directoryTexts.suspended);
  // Before the attempt, which would count this error as a wrong proof.
  await requireNoneDismissed(context.services.listing.reader, person, 'email');
  const account = await findEntry(context, accountEmail);
  if (!account?.contaGerencial)
    throw invalidField('VALIDATION_FAILED', proof.field, directoryTexts.notAnAccount);
  requireLive(account);
  if (includesKey(account.responsaveis, person.key))
    throw new AppError('DUPLICATE', { detail: directoryTexts.accountHeldAlready });
  await attachWith(context, account, person, proof);
}

/** Attempts are throttled as at login: a wrong password or code counts as a failure. */
async function attachWith(
  context: Context,
  account: DirectoryEntry,
  person: DirectoryEntry,
  proof: Proof,
): Promise<void> {
  const { throttle, directory } = context.services;
  const key = normalised(account.email);
  const { address, deadline } = context;
  await throttle.guard({ kind: 'conta', account: key, address, deadline }, isWrongProof, async () => {
    if ('senha' in proof && !(await directory.isPasswordOf(account, proof.senha)))
      throw invalidField('VALIDATION_FAILED', 'senha', directoryTexts.wrongPassword);
    const ensure: Alongside = em => requireNoneDismissed(transactionReader(em), person, 'email');
    const byCode = 'cvr' in proof && { once: await redeeming(context, account, proof.cvr) };
    await directory.give(context, account, { to: person }, { ensure, ...byCode });
  });
}

/** Uses up a code of the account, if its maker may still change the account: they may have kept the code. */
async function redeeming(context: Context, account: DirectoryEntry, code: string): Promise<Alongside> {
  const { directory, listing } = context.services;
  const maker = await makerOf(listing.reader, account.addresses, code);
  // Asked before the transaction: the directory may be a slow server. Who loses an account ends its codes.
  const isHolder = maker && includesKey(account.responsaveis, await directory.keyOf(maker));
  return async em => {
    const isAllowed = isHolder || (maker && (await managesAccount(transactionReader(em), maker.id, account)));
    if (!isAllowed) throw deadCode();
    await redeemCode(em, account.addresses, code);
  };
}

/** Whether a person may change an account that they do not hold, as `accountToChange` requires of a caller. */
async function managesAccount(reader: Reader, idPessoa: number, { users }: DirectoryEntry): Promise<boolean> {
  const levels = (await levelsNow(reader, [idPessoa])).get(idPessoa);
  if (!levels || !mayAct(levels, DIRECTORY_CONTROLLER, 3)) return false;
  for (const id of await findPeople(reader, users))
    if (id !== idPessoa && !(await managesAllOf(reader, idPessoa, id))) return false;
  return true;
}

const isWrongProof = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'VALIDATION_FAILED';

/**
 * Makes a person the holder of a managerial account in place of another holder: of the caller, or of anybody for
 * callers who may act for others. `from` may be omitted if the caller holds the account, or if it has only one holder
 * or none.
 * A code of the account becomes invalid, because the previous holder may know it.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED, DUPLICATE, CONFLICT
 */
export async function handOver(
  context: Context,
  accountEmail: string,
  { from, to }: { from?: string | null | undefined; to: string },
): Promise<void> {
  const { directory } = context.services;
  const { account, own } = await accountToChange(context, accountEmail);
  const holders = account.responsaveis;
  const broken = (field: string, message: Text) => invalidField('VALIDATION_FAILED', field, message);
  const key = from == null ? own : (await findEntry(context, from))?.key;
  const usual = from == null && holders.length === 1 ? holders[0] : undefined;
  const leaver = holders.find(holder => holder.key === key) ?? usual;
  await actForEntry(context, own, leaver ? [leaver] : []);
  if (!leaver && from != null) throw broken('de', directoryTexts.notAHolder);
  if (!leaver && holders.length > 0) throw broken('de', fieldMessages.required);
  const person = await findEntry(context, to);
  if (!person) throw broken('para', fieldMessages.unknownReference);
  if (person.contaGerencial) throw broken('para', fieldMessages.notAPerson);
  if (person.suspensa) throw broken('para', directoryTexts.suspended);
  if (includesKey(holders, person.key))
    throw new AppError('DUPLICATE', { detail: directoryTexts.accountHeldAlready });
  const ensure: Alongside = async em => {
    await requireNoneDismissed(transactionReader(em), person, 'para');
    await endCodes(em, account.addresses);
  };
  await directory.give(context, account, { from: leaver, to: person, alone: !leaver }, { ensure });
}

function requireLive({ suspensa }: DirectoryEntry): void {
  if (suspensa) throw new AppError('INVALID_STATE', { detail: directoryTexts.accountSuspended });
}
