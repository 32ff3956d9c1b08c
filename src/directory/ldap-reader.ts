import type { Client, Filter } from 'ldapts';
import { directoryTooLarge, nameOf, sorted, type EntryName, type EntryFilter } from './directory.ts';
import { anyOf, equal, hasCpf, ldapFilter, narrowed, NEVER, present } from './ldap-conditions.ts';
import { attributesRead, dnKey, entryOf, type LdapEntry } from './ldap-entries.ts';
import { lookUp, search } from './ldap-search.ts';
import type { LdapSettings } from './ldap-settings.ts';
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
    { email, employeetype, holder, managerial, where }: EntryFilter,
    most: number,
  ): Promise<LdapEntry[]> {
    const { attributes } = this.settings;
    const byMail = email === undefined ? [] : [equal(attributes.email, normalised(email))];
    const byCpf = employeetype === undefined ? [] : [hasCpf(attributes.cpf, employeetype)];
    const matching = (areAccounts: boolean): Filter[] =>
      where ? [ldapFilter(where, areAccounts, this.settings)] : [];
    const people = managerial ? [] : await this.#read(false, [...byMail, ...byCpf, ...matching(false)], most);
    // Accounts have no CPF, only their holders do.
    const areHeld = employeetype !== undefined || holder !== undefined;
    const byHolder = managerial && areHeld ? [await this.#isHeldBy(byCpf, holder)] : [];
    const accounts =
      managerial || !areHeld ? await this.#read(true, [...byMail, ...byHolder, ...matching(true)], most) : [];
    const found = [...people, ...accounts];
    // An address must identify one entry. If several share it, none is found.
    if (email !== undefined && found.length > 1) return [];
    if (found.length > most) throw directoryTooLarge(most);
    return found;
  }

  /**
   * Adds to entries whether they have a password, and the names of their accounts or holders. `all`: all entries of the
   * directory, if they are known.
   */
  async complete(entries: readonly LdapEntry[], all?: readonly LdapEntry[]): Promise<void> {
    if (entries.length > FEW) return this.#completeMany(entries, all ?? (await this.find({}, Infinity)));
    for (const entry of entries) {
      const { filter } = this.settings[entry.contaGerencial ? 'accounts' : 'users'];
      entry.possuiSenha =
        (await lookUp(this.client, entry.key, this.#withPassword(filter), ['1.1'])) !== undefined;
      if (entry.contaGerencial) entry.responsaveis = await this.#holdersOf(entry);
      else entry.contasGerenciais = await this.#heldBy(entry);
    }
  }

  async #completeMany(entries: readonly LdapEntry[], all: readonly LdapEntry[]): Promise<void> {
    const { true: accounts = [], false: people = [] } = Object.groupBy(all, one => `${one.contaGerencial}`);
    const secret = new Set([...(await this.#secretOf(false)), ...(await this.#secretOf(true))]);
    const byDn = new Map(people.map(person => [dnKey(person.key), person]));
    const held = new Map<string, EntryName[]>();
    const holders = new Map<string, EntryName[]>();
    for (const account of accounts) {
      const found = account.holders.flatMap(dn => byDn.get(dnKey(dn)) ?? []);
      holders.set(account.key, found.map(nameOf));
      for (const { key } of found) held.set(key, [...(held.get(key) ?? []), nameOf(account)]);
    }
    for (const entry of entries) {
      entry.possuiSenha = secret.has(entry.key);
      entry.contasGerenciais = sorted(held.get(entry.key) ?? []);
      entry.responsaveis = sorted(holders.get(entry.key) ?? []);
    }
  }

  async #read(areAccounts: boolean, conditions: Filter[], most: number): Promise<LdapEntry[]> {
    const { attributes, users, accounts } = this.settings;
    const { dn, filter } = areAccounts ? accounts : users;
    const found = await search(
      this.client,
      dn,
      narrowed(filter, ...conditions),
      attributesRead(attributes),
      most,
    );
    return found.map(entry => entryOf(entry, areAccounts, this.settings)).filter(({ email }) => email !== '');
  }

  /** DNs of the entries with a password. The search only tests that one exists: it is never read, not even as a hash. */
  async #secretOf(areAccounts: boolean): Promise<string[]> {
    const { dn, filter } = this.settings[areAccounts ? 'accounts' : 'users'];
    const found = await search(this.client, dn, this.#withPassword(filter), ['1.1'], Infinity);
    return found.map(entry => entry.dn);
  }

  #withPassword(filter: string): Filter {
    return narrowed(filter, present(this.settings.attributes.password));
  }

  /** The condition that an account is held by one of the people who match. */
  async #isHeldBy(conditions: Filter[], email: string | undefined): Promise<Filter> {
    const { users, attributes } = this.settings;
    const byMail = email === undefined ? [] : [equal(attributes.email, normalised(email))];
    const filter = narrowed(users.filter, ...conditions, ...byMail);
    const people = await search(this.client, users.dn, filter, ['1.1'], FEW);
    // If there are no such people, no account matches.
    return anyOf([NEVER, ...people.map(({ dn }) => equal(attributes.holder, dn))]);
  }

  async #heldBy(person: LdapEntry): Promise<EntryName[]> {
    const { accounts, attributes } = this.settings;
    const filter = narrowed(accounts.filter, equal(attributes.holder, person.key));
    const found = await search(this.client, accounts.dn, filter, attributesRead(attributes), Infinity);
    return sorted(found.map(entry => nameOf(entryOf(entry, true, this.settings))));
  }

  /** The holders of an account. It may still name somebody who has left the directory. */
  async #holdersOf({ holders }: LdapEntry): Promise<EntryName[]> {
    const { users, attributes } = this.settings;
    const found: EntryName[] = [];
    for (const dn of holders) {
      const entry = await lookUp(this.client, dn, users.filter, attributesRead(attributes));
      if (entry) found.push(nameOf(entryOf(entry, false, this.settings)));
    }
    return sorted(found);
  }
}
