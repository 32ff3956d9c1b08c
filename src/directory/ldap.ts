import type { EntityManager } from '@mikro-orm/postgresql';
import {
  ConstraintViolationError,
  InvalidSyntaxError,
  NamingViolationError,
  NoSuchAttributeError,
  NoSuchObjectError,
  NotAllowedOnRDNError,
  ObjectClassViolationError,
  SizeLimitExceededError,
  TypeOrValueExistsError,
  type Change,
} from 'ldapts';
import { endLogins } from '../access/sessions.ts';
import type { Context } from '../request/context.ts';
import type { Reader } from '../database/reader.ts';
import type { Lock } from '../database/turns.ts';
import { writing, writingAs } from '../request/writing.ts';
import { AppError, conflict } from '../errors.ts';
import { messages } from '../messages.ts';
import { directoryTexts } from './messages.ts';
import { arranged, asCalled } from './as-called.ts';
import { endCodes } from './codes.ts';
import {
  directoryTooLarge,
  isAway,
  sorted,
  type AccountChange,
  type Alongside,
  type Detached,
  type Directory,
  type DirectoryEntry,
  type Entries,
  type EntryFilter,
  type EntryName,
  type EntryPart,
  type Giving,
  type Person,
} from './directory.ts';
import { directoryAway, LdapConnections } from './ldap-connections.ts';
import { LdapPasswords } from './ldap-passwords.ts';
import { LdapReader } from './ldap-reader.ts';
import { changeOf, requireSubtree } from './ldap-search.ts';
import type { LdapSettings } from './ldap-settings.ts';
import { recorded, type Alterations } from './recorded.ts';

/** Errors for a change of the attribute that names the entry. */
const FIXED = [NotAllowedOnRDNError, NamingViolationError];

/** Errors for an entry, or a value, that somebody has removed meanwhile. */
const GONE = [NoSuchAttributeError, NoSuchObjectError];

/** Errors for values that the rules of the server do not allow. */
const REFUSALS = [ConstraintViolationError, InvalidSyntaxError, ObjectClassViolationError];

/** A directory on an LDAP server: people below one DN, managerial accounts below another. */
export class LdapDirectory implements Directory {
  readonly people: LdapPasswords;
  readonly #connections: LdapConnections;

  constructor(
    private readonly settings: LdapSettings,
    private readonly reader: Reader,
  ) {
    this.#connections = new LdapConnections(settings, true);
    this.people = new LdapPasswords(settings, this.#connections);
  }

  async entries(filter: EntryFilter, { most, orders, window }: EntryPart): Promise<Entries> {
    const found = await this.#read(most, reader => reader.find(filter, window ? Infinity : most));
    const entries = await arranged(this.reader, found, { orders, window });
    const isWhole = Object.values(filter).every(one => one === undefined || one === false);
    const all = isWhole ? found : undefined;
    const holders = await this.#read(most, reader => reader.complete(entries, all));
    return { entries: await asCalled(this.reader, entries, holders), total: found.length };
  }

  async #read<T>(most: number, read: (reader: LdapReader) => Promise<T>): Promise<T> {
    try {
      return await this.#connections.use(client => read(new LdapReader(client, this.settings)));
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw error instanceof SizeLimitExceededError ? directoryTooLarge(most) : directoryAway(error);
    }
  }

  async keyOf({ usuario }: Person): Promise<string | null> {
    return (await this.people.find(usuario))?.key ?? null;
  }

  async change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void> {
    const alterations: Alterations = {};
    for (const name of Object.keys(change) as (keyof AccountChange)[])
      alterations[name] = [account[name], change[name]];
    const act = () => this.#modify(account.key, this.#changes(change));
    const after = async (em: EntityManager): Promise<void> => {
      if (!change.suspensa) return;
      await endLogins(em, account.users);
      await endCodes(em, account.addresses);
    };
    await recorded(context, account.email, alterations, act, { after });
  }

  async give(
    context: Context,
    account: DirectoryEntry,
    { from, to, alone }: { from?: EntryName | undefined; to: DirectoryEntry; alone?: boolean },
    { ensure, once }: Giving,
  ): Promise<void> {
    const leaving = from ? [from.key] : alone ? account.holders : [];
    const alterations: Alterations = { responsavel: [from?.email ?? null, to.email] };
    const act = () => this.#replaceHolders(account, leaving, [to.key]);
    const before = async (em: EntityManager): Promise<void> => {
      await ensure(em);
      await once?.(em);
    };
    await recorded(context, account.email, alterations, act, { before });
    try {
      // The server may have been slow.
      await writing({ context }, ensure);
    } catch (error) {
      const back: Alterations = { responsavel: [to.email, from?.email ?? null] };
      const undo = () => this.#replaceHolders(account, [to.key], leaving);
      await recorded(context, account.email, back, undo, { completes: true });
      throw error;
    }
  }

  async detach(
    context: Context,
    person: Pick<EntryName, 'key' | 'email'> | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<Detached> {
    await writingAs({ context }, { locks }, alongside);
    const accounts: DirectoryEntry[] = [];
    if (!person) return { accounts, isComplete: true };
    try {
      // Also what somebody has attached since the caller's permissions were checked.
      const held = { managerial: true, holder: person.key };
      for (const account of await this.#read(Infinity, reader => reader.find(held, Infinity))) {
        const act = () => this.#withdraw(account, person.key);
        await recorded(context, account.email, { responsavel: [person.email, null] }, act, {
          before: em => endCodes(em, account.addresses),
          completes: true,
        });
        accounts.push(account);
      }
      return { accounts: sorted(accounts), isComplete: true };
    } catch (error) {
      if (!isAway(error)) throw error;
      return { accounts: sorted(accounts), isComplete: false };
    }
  }

  isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean> {
    return this.people.binds(account.key, password);
  }

  readonly ask = (): Promise<void> =>
    this.#connections.use(async client => {
      await requireSubtree(client, this.settings.users);
      await requireSubtree(client, this.settings.accounts);
    });

  async close(): Promise<void> {
    await Promise.all([this.#connections.close(), this.people.close()]);
  }

  #changes({ nome, descricao, suspensa }: AccountChange): Change[] {
    const { attributes, suspendedValue } = this.settings;
    return [
      ...(nome === undefined ? [] : [changeOf('replace', attributes.nome, nome)]),
      ...(descricao === undefined ? [] : [changeOf('replace', attributes.descricao, descricao)]),
      ...(suspensa === undefined
        ? []
        : [changeOf('replace', attributes.suspended, suspensa ? suspendedValue : null)]),
    ];
  }

  #replaceHolders({ key }: DirectoryEntry, leaving: string[], coming: string[]): Promise<void> {
    const { holder } = this.settings.attributes;
    return this.#modify(key, [
      ...leaving.map(dn => changeOf('delete', holder, dn)),
      ...coming.map(dn => changeOf('add', holder, dn)),
    ]);
  }

  /** Takes an account from a holder, who may have lost it meanwhile. */
  async #withdraw(account: DirectoryEntry, holder: string): Promise<void> {
    await this.#replaceHolders(account, [holder], []).catch((error: unknown) => {
      const isGone = GONE.some(gone => (error as AppError).cause instanceof gone);
      if (!isGone) throw error;
    });
  }

  async #modify(dn: string, changes: Change[]): Promise<void> {
    try {
      await this.#connections.use(client => client.modify(dn, changes));
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof TypeOrValueExistsError)
        throw new AppError('DUPLICATE', { detail: directoryTexts.accountHeldAlready, cause: error });
      if (GONE.some(gone => error instanceof gone))
        throw new AppError('CONFLICT', { detail: messages.changedMeanwhile, cause: error });
      if (FIXED.some(fixed => error instanceof fixed)) throw conflict(directoryTexts.directoryFixed);
      if (REFUSALS.some(refusal => error instanceof refusal)) throw conflict(directoryTexts.directoryRefuses);
      throw directoryAway(error);
    }
  }
}
