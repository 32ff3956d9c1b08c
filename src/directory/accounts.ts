import { transactionReader } from '../database/reader.ts';
import { findPeople } from '../domain/login/entering.ts';
import type { Context } from '../request/context.ts';
import { AppError, conflict, invalid, notFound } from '../errors.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { requireNotDismissed } from '../domain/people.ts';
import { directoryTexts } from './messages.ts';
import { endCodes, issueCode, redeemCode, type IssuedCode } from './codes.ts';
import { type AccountChange, type DirectoryEntry } from './directory.ts';
import { normalised } from '../text/normalised.ts';

/** Controller of the directory's operations. */
export const DIRECTORY_CONTROLLER = 'institucional/usuarios-ldap';

/** The entry with an e-mail address; null if there is none. */
export async function findEntry({ services }: Context, email: string): Promise<DirectoryEntry | null> {
  const { entries } = await services.directory.entries({ email }, { most: 10 });
  return entries[0] ?? null;
}

const OWN_EMAIL = 'select email from pessoa where id = $1';

/** The caller's e-mail address. */
export async function ownEmail(context: Context): Promise<string> {
  const { idPessoa } = await context.session();
  const [row] = await context.services.listing.reader.rows(OWN_EMAIL, [idPessoa]);
  return normalised(row![0] as string);
}

/** @throws FORBIDDEN unless the address is the caller's own, or the caller may act for others */
async function actAs(context: Context, ...allowed: string[]): Promise<void> {
  const own = await ownEmail(context);
  if (!allowed.some(email => normalised(email) === own))
    await context.caller.authorize({ kind: 'level', controller: DIRECTORY_CONTROLLER, level: 3 });
}

/**
 * The managerial account with an address, if the caller may change it: they hold it, or may act for others and have
 * all permissions of everybody who logs in as the account.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED when the entry is a person
 */
async function accountToChange(context: Context, email: string): Promise<DirectoryEntry> {
  const { directory, listing } = context.services;
  const entry = await findEntry(context, email);
  const holders = (entry?.responsaveis ?? []).map(holder => normalised(holder.email));
  await actAs(context, ...holders);
  if (entry && !holders.includes(await ownEmail(context)))
    for (const id of await findPeople(listing.reader, await directory.usersOf(entry)))
      await context.caller.actAs(id, DIRECTORY_CONTROLLER);
  if (!entry) throw notFound();
  if (!entry.contaGerencial)
    throw invalid('VALIDATION_FAILED', [{ field: 'email', message: directoryTexts.notAnAccount }]);
  return entry;
}

/** Changes attributes of a managerial account, or suspends or reactivates it. */
export async function changeAccount(context: Context, email: string, change: AccountChange): Promise<void> {
  const account = await accountToChange(context, email);
  await context.services.directory.change(context, account, change);
}

/**
 * Creates a code with which somebody can claim an account without a password.
 * @throws CONFLICT when it has a password, INVALID_STATE when it is suspended
 */
export async function newAccountCode(context: Context, email: string): Promise<IssuedCode> {
  const account = await accountToChange(context, email);
  if (account.possuiSenha) throw conflict(directoryTexts.accountHasPassword);
  requireLive(account);
  const code = await issueCode(context, normalised(account.email));
  // Whoever has lost the account meanwhile does not learn the code.
  await accountToChange(context, email);
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
  await actAs(context, email);
  const person = await findEntry(context, email);
  if (!person) throw notFound();
  if (person.contaGerencial)
    throw invalid('VALIDATION_FAILED', [{ field: 'email', message: fieldMessages.notAPerson }]);
  if (person.suspensa)
    throw invalid('VALIDATION_FAILED', [{ field: 'email', message: directoryTexts.suspended }]);
  // Before the attempt, which would count this error as a wrong proof.
  await requireNotDismissed(context.services.listing.reader, byEmail(person), 'email');
  const account = await findEntry(context, accountEmail);
  if (!account?.contaGerencial)
    throw invalid('VALIDATION_FAILED', [{ field: proof.field, message: directoryTexts.notAnAccount }]);
  requireLive(account);
  if (account.responsaveis.some(holder => normalised(holder.email) === normalised(person.email)))
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
      throw invalid('VALIDATION_FAILED', [{ field: 'senha', message: directoryTexts.wrongPassword }]);
    await directory.attach(context, account, person, async em => {
      await requireNotDismissed(transactionReader(em), byEmail(person), 'email');
      if ('cvr' in proof) await redeemCode(em, key, proof.cvr);
    });
  });
}

const isWrongProof = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'VALIDATION_FAILED';

/**
 * Makes a person the holder of a managerial account in place of another holder: of the caller, or of anybody for
 * callers who may act for others. `from` may be omitted if the caller holds the account, or if it has only one holder.
 * A code of the account becomes invalid, because the previous holder may know it.
 * @throws NOT_FOUND, FORBIDDEN, VALIDATION_FAILED, DUPLICATE, CONFLICT
 */
export async function handOver(
  context: Context,
  accountEmail: string,
  { from, to }: { from?: string | null | undefined; to: string },
): Promise<void> {
  const { directory } = context.services;
  const account = await accountToChange(context, accountEmail);
  const holders = account.responsaveis.map(({ email }) => normalised(email));
  const own = await ownEmail(context);
  const usual = holders.includes(own) ? own : holders.length === 1 ? holders[0] : undefined;
  const leaving = from == null ? usual : normalised(from);
  const broken = (field: string, message: Text) => invalid('VALIDATION_FAILED', [{ field, message }]);
  if (leaving === undefined) throw broken('de', fieldMessages.required);
  await actAs(context, leaving);
  const leaver = holders.includes(leaving) ? await findEntry(context, leaving) : null;
  if (!leaver) throw broken('de', directoryTexts.notAHolder);
  const person = await findEntry(context, to);
  if (!person) throw broken('para', fieldMessages.unknownReference);
  if (person.contaGerencial) throw broken('para', fieldMessages.notAPerson);
  if (person.suspensa) throw broken('para', directoryTexts.suspended);
  if (holders.includes(normalised(person.email)))
    throw new AppError('DUPLICATE', { detail: directoryTexts.accountHeldAlready });
  await directory.handOver(context, account, { from: leaver, to: person }, async em => {
    await requireNotDismissed(transactionReader(em), byEmail(person), 'para');
    await endCodes(em, [account.email]);
  });
}

const byEmail = ({ email }: DirectoryEntry) => ({ by: 'email', value: normalised(email) }) as const;

function requireLive({ suspensa }: DirectoryEntry): void {
  if (suspensa) throw new AppError('INVALID_STATE', { detail: directoryTexts.accountSuspended });
}
