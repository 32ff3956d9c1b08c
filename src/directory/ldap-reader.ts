import type { Client, Filter } from 'ldapts';
import {
  directoryTooLarge,
  mailKey,
  nameOf,
  sorted,
  type DirectoryEntry,
  type EntryName,
  type EntryFilter,
} from './directory.ts';
import { anyOf, equal, hasCpf, ldapFilter, narrowed, NEVER, present } from './ldap-conditions.ts';
import { attributesRead, dnKey, entryOf, type LdapEntry } from './ldap-entries.ts';
import { lookUp, search } from './ldap-search.ts';
import type { LdapSettings } from './ldap-settings.ts';

/** Up to this many entries, links are looked up one by one. For more, the whole directory is read. */
const FEW = 20;

/** Reads the entries of an LDAP directory through one connection. */
export class LdapReader {
  constructor(
    private readonly client: Client,
    private readonly settings: LdapSettings,
  ) {}

  async entries(filter: EntryFilter, most: number): Promise<DirectoryEntry[]> {
    const isWhole = [filter.email, filter.employeetype, filter.holder, filter.where].every(
      one => one === undefined,
    );
    const found = isWhole ? await this.#all(filter, most) : await this.#some(filter, most);
    // An address must identify one entry. If several share it, none is found.
    if (filter.email !== undefined && found.length > 1) return [];
    if (found.length > most) throw directoryTooLarge(most);
    return sorted(found);
  }

  /** All entries. The holders of accounts are found among them. */
  async #all({ managerial }: EntryFilter, most: number): Promise<LdapEntry[]> {
    const people = await this.#read(false, [], managerial ? Infinity : most);
    const accounts = await this.#read(true, [], most);
    const byDn = new Map(people.map(person => [dnKey(person.key), person]));
    for (const account of accounts) {
      const holders = account.holders.flatMap(dn => byDn.get(dnKey(dn)) ?? []);
      account.responsaveis = sorted(holders.map(nameOf));
      for (const holder of holders) holder.contasGerenciais.push(nameOf(account));
    }
    for (const person of people) person.contasGerenciais = sorted(person.contasGerenciais);
    return managerial ? accounts : [...people, ...accounts];
  }

  /** Some entries. If they are few, their links are looked up one by one. */
  async #some(
    { email, employeetype, holder, managerial, where }: EntryFilter,
    most: number,
  ): Promise<LdapEntry[]> {
    const { attributes } = this.settings;
    const byMail = email === undefined ? [] : [equal(attributes.email, mailKey(email))];
    const byCpf = employeetype === undefined ? [] : [hasCpf(attributes.cpf, employeetype)];
    const matching = (areAccounts: boolean): Filter[] =>
      where ? [ldapFilter(where, areAccounts, this.settings)] : [];
    const people = managerial ? [] : await this.#read(false, [...byMail, ...byCpf, ...matching(false)], most);
    // Accounts have no CPF, only their holders do.
    const areHeld = employeetype !== undefined || holder !== undefined;
    const byHolder = managerial && areHeld ? [await this.#isHeldBy(byCpf, holder)] : [];
    const accounts =
      managerial || !areHeld ? await this.#read(true, [...byMail, ...byHolder, ...matching(true)], most) : [];
    if (people.length + accounts.length > Math.min(FEW, most)) {
      if (people.length + accounts.length > most) throw directoryTooLarge(most);
      const keys = new Set([...people, ...accounts].map(({ key }) => key));
      return (await this.#all({}, Infinity)).filter(({ key }) => keys.has(key));
    }
    for (const person of people) person.contasGerenciais = await this.#heldBy(person);
    for (const account of accounts) account.responsaveis = await this.#holdersOf(account);
    return [...people, ...accounts];
  }

  async #read(areAccounts: boolean, conditions: Filter[], most: number): Promise<LdapEntry[]> {
    const { attributes, users, accounts } = this.settings;
    const { dn, filter } = areAccounts ? accounts : users;
    const restricted = narrowed(filter, ...conditions);
    const found = await search(this.client, dn, restricted, attributesRead(attributes), most);
    // The search only tests that a password exists. The password itself is never read, not even as a hash.
    const having = narrowed(filter, ...conditions, present(attributes.password));
    const withPassword = new Set((await search(this.client, dn, having, ['1.1'], most)).map(({ dn }) => dn));
    return found
      .map(entry => ({
        ...entryOf(entry, areAccounts, this.settings),
        possuiSenha: withPassword.has(entry.dn),
      }))
      .filter(({ email }) => email !== '');
  }

  /** The condition that an account is held by one of the people who match. */
  async #isHeldBy(conditions: Filter[], email: string | undefined): Promise<Filter> {
    const { users, attributes } = this.settings;
    const byMail = email === undefined ? [] : [equal(attributes.email, mailKey(email))];
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
