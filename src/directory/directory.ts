import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../request/context.ts';

declare module '../request/services.ts' {
  interface Services {
    directory: Directory;
  }
}

/** An entry by the two things that people know it by. */
export interface EntryName {
  email: string;
  nome: string;
}

/** One entry of the directory: a person, or a managerial account, which people hold. */
export interface DirectoryEntry extends EntryName {
  /** By which the backend finds it again; never shown. */
  key: string;
  descricao: string | null;
  /** CPF of a person, its digits alone. */
  employeetype: string | null;
  contaGerencial: boolean;
  suspensa: boolean;
  possuiSenha: boolean;
  /** Accounts that a person holds. */
  contasGerenciais: EntryName[];
  /** People who hold an account. */
  responsaveis: EntryName[];
}

/** Which entries are asked for; what is absent restricts nothing. */
export interface Wanted {
  /** Finds one entry, and none where several have the address. */
  email?: string | undefined;
  /** Digits of a CPF. */
  employeetype?: string | undefined;
  /** Managerial accounts only. */
  managerial?: boolean;
}

/** What can be changed of a managerial account. An absent attribute keeps its value, null clears it. */
export interface AccountChange {
  nome?: string;
  descricao?: string | null;
  suspensa?: boolean;
}

/** What is written in the service's own database with a change of the directory, and not without it. */
export type Alongside = (em: EntityManager) => Promise<void>;

/**
 * The directory of people and managerial accounts, wherever it is kept. Addresses are compared in lower case.
 * @throws UNAVAILABLE from every method while it cannot be asked
 */
export interface Directory {
  /** By name, then address. @throws RESULT_TOO_LARGE for more than `most` entries */
  entries(wanted: Wanted, most: number): Promise<DirectoryEntry[]>;
  /** @throws CONFLICT when the directory does not let an attribute change */
  change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void>;
  /** Makes the person a holder of the account. @throws DUPLICATE when they are one already */
  attach(
    context: Context,
    account: DirectoryEntry,
    person: DirectoryEntry,
    alongside?: Alongside,
  ): Promise<void>;
  /** User names by which somebody may log in as the account. */
  usersOf(account: DirectoryEntry): Promise<string[]>;
  isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean>;
  /** Where people's passwords are kept in the directory too; undefined where the service keeps them itself. */
  readonly people: PeoplePasswords | undefined;
  /** Whether it answers; undefined for one that is no server of its own. */
  isThere(): Promise<boolean> | undefined;
  close(): Promise<void>;
}

/** The passwords of people, kept outside of the service. */
export interface PeoplePasswords {
  /**
   * Whether this is the password of the user, who then may log in. For no user the same work is done, and for one
   * who is unknown or suspended.
   */
  verify(user: string | null, password: string): Promise<boolean>;
  /** All user names by which the same entry logs in. */
  namesOf(user: string): Promise<string[]>;
  /** Sets a password. Answers whether the directory has the user. @throws VALIDATION_FAILED when it refuses the password */
  set(context: Context, user: string, password: string): Promise<boolean>;
}

/** An address as it is compared. */
export const mailKey = (email: string): string => email.trim().toLowerCase();

const collator = new Intl.Collator('pt-BR');

/** Entries by Portuguese collation of their names. */
export const sorted = <T extends EntryName>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => collator.compare(a.nome, b.nome) || (a.email < b.email ? -1 : 1));
