import { type Access } from '../access/access.ts';
import type { Scope } from '../listing/list.ts';
import { AppError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import type { EntityClass } from './member.ts';

/** Links from a listed record whose columns its list shows (contract 4). Beyond them the caller needs other rights. */
export const SHOWN_LINKS = 2;

/** The list of a type: who may read it, and what it shows of each table. */
export interface TypeList {
  /** Its query. */
  name: string;
  access: Access;
  /** Conditions on every row that the list shows. */
  always: Scope;
}

/** The part of a request's caller that rights need. */
export interface Caller {
  /** @throws FORBIDDEN */
  authorize(access: Access): Promise<void>;
  /** Whether they may read the records of others on a controller. */
  readsAll(controller: string): Promise<boolean>;
  session(): Promise<{ idPessoa: number }>;
}

/** The lists of all types that have one. */
export type Lists = ReadonlyMap<EntityClass, TypeList>;

/** A list that shows callers their own records needs the path to the owner, or nobody could follow a link to it. */
const ownerOf = (access: Access): string | undefined => (access.kind === 'own' ? access.person : undefined);

/** Whether links may lead to the list: it can tell by itself which records a caller may read. */
export const isFollowed = (access: Access): boolean =>
  access.kind === 'level' || ownerOf(access) !== undefined;

/** What one caller may read beyond the list that they called. Each answer is found once for a request. */
export class Rights {
  readonly #found = new Map<EntityClass, Promise<Scope | undefined>>();

  constructor(
    private readonly lists: Lists,
    private readonly caller: Caller,
  ) {}

  /** Whether the records of a class have a list, whose rights count for them. */
  hasList(target: EntityClass): boolean {
    return this.lists.has(target);
  }

  /**
   * The conditions under which the caller may read records of a class, as its list does; undefined if they may read
   * none. A class without a list belongs to the records that show it.
   */
  on(target: EntityClass): Promise<Scope | undefined> {
    let found = this.#found.get(target);
    if (!found) this.#found.set(target, (found = this.#find(target)));
    return found;
  }

  async #find(target: EntityClass): Promise<Scope | undefined> {
    const listed = this.lists.get(target);
    if (!listed) return {};
    const { access, always } = listed;
    try {
      await this.caller.authorize(access);
    } catch (error) {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return undefined;
      throw error;
    }
    if (access.kind !== 'own' || (access.readers && (await this.caller.readsAll(access.readers))))
      return always;
    return { ...always, [ownerOf(access)!]: (await this.caller.session()).idPessoa };
  }
}

/**
 * How far the record behind a to-one link is from the last record of a list that the caller may read, if the other end
 * of the link is so far. @throws FORBIDDEN with the path when the caller may not read it
 */
export async function follow(rights: Rights, far: number, to: EntityClass, field: string): Promise<number> {
  if (far < SHOWN_LINKS || !rights.hasList(to)) return far + 1;
  const scope = await rights.on(to);
  // Whether the caller may read the record depends on the row, so the answer would tell of records of others.
  if (!scope || Object.keys(scope).length > 0) throw forbidden(field);
  return 0;
}

export const forbidden = (field: string): AppError =>
  new AppError('FORBIDDEN', { errors: [{ field, message: fieldMessages.mayNotRead }] });
