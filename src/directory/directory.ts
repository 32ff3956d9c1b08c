import type { EntityManager } from '@mikro-orm/postgresql';
import type { Lock } from '../database/turns.ts';
import type { Context } from '../request/context.ts';
import { AppError } from '../errors.ts';
import { directoryTexts } from './messages.ts';
import type { Window } from '../listing/list.ts';
import type { EntryCondition, TextAttribute } from './entry-condition.ts';

declare module '../request/services.ts' {
  interface Services {
    directory: Directory;
  }
}

/** An entry by name and address, as clients see it. */
export interface ShownName {
  email: string;
  nome: string;
}

/** An entry as clients see it. */
export interface ShownEntry extends ShownName {
  descricao: string | null;
  /** CPF of a person, digits only. */
  employeetype: string | null;
  contaGerencial: boolean;
  suspensa: boolean;
  possuiSenha: boolean;
  /** Accounts of a person. */
  contasGerenciais: ShownName[];
  /** Holders of an account. */
  responsaveis: ShownName[];
}

export interface EntryName extends ShownName {
  /** Key of the entry in the backend. Two names with the same key are of the same entry. */
  key: string;
}

/** An entry of the directory: a person, or a managerial account, which people hold. */
export interface DirectoryEntry extends ShownEntry, EntryName {
  /** All e-mail addresses, `email` included, in lower case. */
  addresses: string[];
  /** User names with which somebody logs in as the entry, in lower case. */
  users: string[];
  contasGerenciais: EntryName[];
  responsaveis: EntryName[];
  /** Keys of the holders of an account, also of those whose entry the directory no longer has. */
  holders: string[];
}

/** A person of the service. */
export interface Person {
  id: number;
  usuario: string;
}

/** Filter of entries. Absent fields do not restrict. */
export interface EntryFilter {
  /** Finds one entry by any of its addresses, or none if several have the address. */
  email?: string | undefined;
  /** Finds one entry by its key. */
  key?: string | undefined;
  /** Digits of a CPF. Finds people with this CPF, or with `managerial` the accounts that they hold. */
  employeetype?: string | undefined;
  /** Key of a person's entry: with `managerial` the accounts that they hold. */
  holder?: string | undefined;
  /** Only managerial accounts. */
  managerial?: boolean;
  /** A further condition. */
  where?: EntryCondition | undefined;
}

/** An attribute by which entries are ordered. */
export interface EntryOrder {
  text: TextAttribute;
  direction: 'asc' | 'desc';
}

/** Which of the entries to return, and in which order. */
export interface EntryPart {
  /** Most entries of a list without a window. */
  most: number;
  /** Before the order by name and address. */
  orders?: readonly EntryOrder[];
  /** Undefined for all entries. */
  window?: Window | undefined;
  /** Whether to count all entries that match. */
  isCounted?: boolean;
}

/** Entries of a list. */
export interface Entries {
  entries: DirectoryEntry[];
  /** Number of all entries that match; 0 if it was not asked for. */
  total: number;
}

/** Changes of a managerial account. An absent attribute keeps its value, null clears it. */
export interface AccountChange {
  nome?: string;
  descricao?: string | null;
  suspensa?: boolean;
}

/** Writes to the service's database together with a change of the directory. Either both happen or neither does. */
export type Alongside = (em: EntityManager) => Promise<void>;

/** Conditions and writes of a new holder of an account. */
export interface Giving {
  /**
   * What must be so once the person holds the account. On an LDAP server it runs before and after the change. If it
   * fails afterwards, the change is undone.
   */
  ensure: Alongside;
  /** Runs once, before the change. */
  once?: Alongside;
}

/** What was taken away from a person. */
export interface Detached {
  accounts: EntryName[];
  /** False if the server stopped answering, so that accounts may remain. */
  isComplete: boolean;
}

/**
 * The directory of people and managerial accounts. Addresses are compared in lower case.
 * @throws UNAVAILABLE from every method while the directory is not available
 */
export interface Directory {
  /**
   * Key of the entry of a person: the one that a login with their user name finds. An address alone makes no entry
   * theirs. Null if there is none, or several.
   */
  keyOf(person: Person): Promise<string | null>;
  /** Entries by name, then address. @throws RESULT_TOO_LARGE for more than `most` without a window */
  entries(filter: EntryFilter, part: EntryPart): Promise<Entries>;
  /** @throws CONFLICT when the directory refuses to change an attribute */
  change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void>;
  /**
   * Makes a person a holder of the account, in place of `from`. Without `from` they become a further holder, or with
   * `alone` the only one. @throws DUPLICATE when they hold it, CONFLICT when its holders have changed meanwhile
   */
  give(
    context: Context,
    account: DirectoryEntry,
    holders: { from?: EntryName | undefined; to: DirectoryEntry; alone?: boolean },
    giving: Giving,
  ): Promise<void>;
  /**
   * Takes all accounts away from a person, if their entry is known. On an LDAP server this happens after `alongside`.
   */
  detach(
    context: Context,
    person: Pick<EntryName, 'key' | 'email'> | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<Detached>;
  isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean>;
  /** People's passwords, if the directory stores them; undefined if the service does. */
  readonly people: PeoplePasswords | undefined;
  /** Asks the server of the directory for any answer; undefined when it is in the service's own database. */
  readonly ask: (() => Promise<unknown>) | undefined;
  close(): Promise<void>;
}

/** Passwords that are stored outside the service. */
export interface PeoplePasswords {
  /**
   * Whether this is the user's password and the user may log in. For an unknown or suspended user, or null, it does the
   * same work and returns false.
   */
  verify(user: string | null, password: string): Promise<boolean>;
  /** All user names of the user's entry. */
  namesOf(user: string): Promise<string[]>;
  /**
   * Sets a password. Returns false if the directory does not have the user. @throws VALIDATION_FAILED when it refuses
   * the password
   */
  set(context: Context, user: string, password: string): Promise<boolean>;
}

/** Whether the directory did not answer, which is no refusal. */
export const isAway = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAVAILABLE';

/** The error 422 for more entries than an answer may contain. */
export const directoryTooLarge = (most: number): AppError =>
  new AppError('RESULT_TOO_LARGE', { detail: directoryTexts.directoryTooLarge(most) });

export const nameOf = ({ key, email, nome }: DirectoryEntry): EntryName => ({ key, email, nome });

const collator = new Intl.Collator('pt-BR');

/** SQL of an order of entries `e`: empty values last in `asc`, then by name and address. */
export const orderSql = (orders: readonly EntryOrder[] = []): string =>
  [...orders, { text: 'nome', direction: 'asc' }, { text: 'email', direction: 'asc' }]
    .map(({ text, direction }) => `e."${text}" collate "pt_br" ${direction}`)
    .join(', ');

/** A few names, ordered in Portuguese collation. Many would delay other requests. */
export const sorted = <T extends EntryName>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => collator.compare(a.nome, b.nome) || (a.email < b.email ? -1 : 1));
