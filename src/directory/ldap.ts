import {
  ConstraintViolationError,
  InvalidSyntaxError,
  NamingViolationError,
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
import { writingAs } from '../request/writing.ts';
import { AppError, conflict } from '../errors.ts';
import { directoryTexts } from './messages.ts';
import { arranged, asCalled } from './as-called.ts';
import {
  directoryTooLarge,
  type AccountChange,
  type Alongside,
  type Directory,
  type DirectoryEntry,
  type Entries,
  type EntryFilter,
  type EntryPart,
} from './directory.ts';
import { directoryAway, LdapConnections } from './ldap-connections.ts';
import { LdapPasswords } from './ldap-passwords.ts';
import { LdapReader } from './ldap-reader.ts';
import { changeOf } from './ldap-search.ts';
import type { LdapSettings } from './ldap-settings.ts';
import { recorded, type Alterations } from './recorded.ts';

/** Errors for a change of the attribute that names the entry. */
const FIXED = [NotAllowedOnRDNError, NamingViolationError];

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
    await this.#read(most, reader => reader.complete(entries, isWhole ? found : undefined));
    return { entries: await asCalled(this.reader, entries), total: found.length };
  }

  async #read<T>(most: number, read: (reader: LdapReader) => Promise<T>): Promise<T> {
    try {
      return await this.#connections.use(client => read(new LdapReader(client, this.settings)));
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw error instanceof SizeLimitExceededError ? directoryTooLarge(most) : directoryAway(error);
    }
  }

  async change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void> {
    const alterations: Alterations = {};
    for (const name of Object.keys(change) as (keyof AccountChange)[])
      alterations[name] = [account[name], change[name]];
    let suspended: string[] = [];
    const act = async (): Promise<void> => {
      if (change.suspensa) suspended = await this.usersOf(account);
      await this.#modify(account.key, this.#changes(change));
    };
    await recorded(context, account.email, alterations, act, { after: em => endLogins(em, suspended) });
  }

  async attach(
    context: Context,
    account: DirectoryEntry,
    person: DirectoryEntry,
    alongside: Alongside,
  ): Promise<void> {
    const holder = changeOf('add', this.settings.attributes.holder, person.key);
    const alterations: Alterations = { responsavel: [null, person.email] };
    const act = () => this.#modify(account.key, [holder]);
    await recorded(context, account.email, alterations, act, { before: alongside });
  }

  async handOver(
    context: Context,
    account: DirectoryEntry,
    { from, to }: { from: DirectoryEntry; to: DirectoryEntry },
    alongside: Alongside,
  ): Promise<void> {
    const { holder } = this.settings.attributes;
    const changes = [changeOf('delete', holder, from.key), changeOf('add', holder, to.key)];
    const act = () => this.#modify(account.key, changes);
    await recorded(context, account.email, { responsavel: [from.email, to.email] }, act, {
      before: alongside,
    });
  }

  async detach(
    context: Context,
    accounts: readonly DirectoryEntry[],
    person: DirectoryEntry | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<void> {
    await writingAs({ context }, { locks }, alongside);
    if (!person) return;
    const holder = changeOf('delete', this.settings.attributes.holder, person.key);
    for (const account of accounts) {
      const act = () => this.#modify(account.key, [holder]);
      await recorded(context, account.email, { responsavel: [person.email, null] }, act);
    }
  }

  usersOf(account: DirectoryEntry): Promise<string[]> {
    return this.people.usersOf(account.key);
  }

  isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean> {
    return this.people.binds(account.key, password);
  }

  readonly ask = (): Promise<unknown> =>
    this.#connections.use(client => client.search('', { scope: 'base', attributes: ['1.1'] }));

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

  async #modify(dn: string, changes: Change[]): Promise<void> {
    try {
      await this.#connections.use(client => client.modify(dn, changes));
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof TypeOrValueExistsError)
        throw new AppError('DUPLICATE', { detail: directoryTexts.accountHeldAlready, cause: error });
      if (FIXED.some(fixed => error instanceof fixed)) throw conflict(directoryTexts.directoryFixed);
      if (REFUSALS.some(refusal => error instanceof refusal)) throw conflict(directoryTexts.directoryRefuses);
      throw directoryAway(error);
    }
  }
}
