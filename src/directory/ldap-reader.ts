import type { Client, Filter } from 'ldapts';
import {
  directoryTooLarge,
  nameOf,
  sorted,
  type DirectoryEntry,
  type EntryName,
  type EntryFilter,
} from './directory.ts';
import { anyOf, equal, hasCpf, ldapFilter, narrowed, NEVER, present } from './ldap-conditions.ts';
import { attributesRead, dnKey, entryOf, isBelow } from './ldap-entries.ts';
import { lookUp, search } from './ldap-search.ts';
import type { LdapSettings, Subtree } from './ldap-settings.ts';
import { normalised } from '../text/normalised.ts';

/** Up to this many entries are completed one by one. For more, the whole directory is read. */
const FEW = 20;

/** Reads the entries of an LDAP directory through one connection. */
export class LdapReader {
  constructor(
    private readonly client: Client,
    private readonly settings: LdapSettings,
  ) {}

  /**
   * The entries that match, in any order, without passwords and links, which `complete` adds.
   * @throws RESULT_TOO_LARGE for more than `most`
   */
  async find(
    { email, key, employeetype, holder, managerial, where }: EntryFilter,
    most: number,
  ): Promise<DirectoryEntry[]> {
    const { attributes } = this.settings;
    const byMail = email === undefined ? [] : [equal(attributes.email, normalised(email))];
    const byCpf = employeetype === undefined ? [] : [hasCpf(attributes.cpf, employeetype)];
    const matching = (areAccounts: boolean): Filter[] =>
      where ? [ldapFilter(where, areAccounts, this.settings)] : [];
    const people = managerial
      ? []
      : await this.#read(false, [...byMail, ...byCpf, ...matching(false)], most, key);
    // Accounts have no CPF, only their holders do.
    const areHeld = employeetype !== undefined || holder !== undefined;
    const byHolder = managerial && areHeld ? [await this.#isHeldBy(byCpf, holder)] : [];
    const accounts =
      managerial || !areHeld
        ? await this.#read(true, [...byMail, ...byHolder, ...matching(true)], most, key)
        : [];
    const found = [...people, ...accounts];
    // An address must identify one entry. If several share it, none is found.
    if (email !== undefined && found.length > 1) return [];
    if (found.length > most) throw directoryTooLarge(most);
    return found;
  }

  /** The entry that a login with a user name finds; undefined if there is none, or several have the name. */
  async named(user: string): Promise<DirectoryEntry | undefined> {
    const { users, accounts, login } = this.settings;
    const isNamed = anyOf(login.map(attribute => equal(attribute, user)));
    const find = async (subtree: Subtree, areAccounts: boolean) => {
      const wanted = narrowed(subtree.filter, isNamed);
      const found = await search(this.client, subtree, wanted, attributesRead(this.settings), 1);
      return found.map(entry => entryOf(entry, areAccounts, this.settings));
    };
    const found = [...(await find(users, false)), ...(await find(accounts, true))];
    return new Set(found.map(({ key }) => key)).size === 1 ? found[0] : undefined;
  }

  /**
   * Adds to entries whether they have a password, and the names of their accounts or holders. Returns these holders.
   * `all`: all entries of the directory, if they are known.
   */
  async complete(
    entries: readonly DirectoryEntry[],
    all?: readonly DirectoryEntry[],
  ): Promise<DirectoryEntry[]> {
    if (entries.length > FEW) return this.#completeMany(entries, all ?? (await this.find({}, Infinity)));
    const met: DirectoryEntry[] = [];
    for (const entry of entries) {
      const { filter } = this.settings[entry.contaGerencial ? 'accounts' : 'users'];
      entry.possuiSenha =
        (await lookUp(this.client, entry.key, this.#withPassword(filter), ['1.1'])) !== undefined;
      if (entry.contaGerencial) {
        const holders = await this.#holdersOf(entry);
        entry.responsaveis = sorted(holders.map(nameOf));
        met.push(...holders);
      } else entry.contasGerenciais = await this.#heldBy(entry);
    }
    return met;
  }

  async #completeMany(
    entries: readonly DirectoryEntry[],
    all: readonly DirectoryEntry[],
  ): Promise<DirectoryEntry[]> {
    const { true: accounts = [], false: people = [] } = Object.groupBy(all, one => `${one.contaGerencial}`);
    const secret = new Set([...(await this.#secretOf(false)), ...(await this.#secretOf(true))]);
    const byDn = new Map(people.map(person => [dnKey(person.key), person]));
    const held = new Map<string, EntryName[]>();
    const holders = new Map<string, EntryName[]>();
    const met = new Set<DirectoryEntry>();
    for (const account of accounts) {
      const found = account.holders.flatMap(dn => byDn.get(dnKey(dn)) ?? []);
      holders.set(account.key, found.map(nameOf));
      for (const holder of found) {
        met.add(holder);
        held.set(holder.key, [...(held.get(holder.key) ?? []), nameOf(account)]);
      }
    }
    for (const entry of entries) {
      entry.possuiSenha = secret.has(entry.key);
      entry.contasGerenciais = sorted(held.get(entry.key) ?? []);
      entry.responsaveis = sorted(holders.get(entry.key) ?? []);
    }
    return [...met];
  }

  /** The entries that match: with `at` the one with this DN. Entries without an address are not listed. */
  async #read(
    areAccounts: boolean,
    conditions: Filter[],
    most: number,
    at?: string,
  ): Promise<DirectoryEntry[]> {
    const subtree = this.settings[areAccounts ? 'accounts' : 'users'];
    const wanted = [narrowed(subtree.filter, ...conditions), attributesRead(this.settings)] as const;
    if (at !== undefined && !isBelow(at, subtree.dn)) return [];
    const found =
      at === undefined
        ? await search(this.client, subtree, ...wanted, most)
        : [await lookUp(this.client, at, ...wanted)].filter(entry => entry !== undefined);
    return found.map(entry => entryOf(entry, areAccounts, this.settings)).filter(({ email }) => email !== '');
  }

  /** DNs of the entries with a password. The search only tests that one exists: it is never read, not even as a hash. */
  async #secretOf(areAccounts: boolean): Promise<string[]> {
    const subtree = this.settings[areAccounts ? 'accounts' : 'users'];
    const found = await search(this.client, subtree, this.#withPassword(subtree.filter), ['1.1'], Infinity);
    return found.map(entry => entry.dn);
  }

  #withPassword(filter: string): Filter {
    return narrowed(filter, present(this.settings.attributes.password));
  }

  /** The condition that an account is held by one of the people who match, and by the entry with this DN. */
  async #isHeldBy(byCpf: Filter[], holder: string | undefined): Promise<Filter> {
    const { users, attributes } = this.settings;
    const areHolders = (dns: readonly string[]): Filter =>
      // If there are no such people, no account matches.
      anyOf([NEVER, ...dns.map(dn => equal(attributes.holder, dn))]);
    if (byCpf.length === 0) return areHolders([holder!]);
    const people = await search(this.client, users, narrowed(users.filter, ...byCpf), ['1.1'], FEW);
    const dns = people.map(({ dn }) => dn);
    return areHolders(holder === undefined ? dns : dns.filter(dn => dn === holder));
  }

  async #heldBy(person: DirectoryEntry): Promise<EntryName[]> {
    const { accounts, attributes } = this.settings;
    const filter = narrowed(accounts.filter, equal(attributes.holder, person.key));
    const found = await search(this.client, accounts, filter, attributesRead(this.settings), Infinity);
    return sorted(found.map(entry => nameOf(entryOf(entry, true, this.settings))));
  }

  /** The holders of an account. It may still name somebody who has left the directory. */
  async #holdersOf({ holders }: DirectoryEntry): Promise<DirectoryEntry[]> {
    const { users } = this.settings;
    const found: DirectoryEntry[] = [];
    for (const dn of holders) {
      const entry = await lookUp(this.client, dn, users.filter, attributesRead(this.settings));
      if (entry) found.push(entryOf(entry, false, this.settings));
    }
    return found;
  }
}
