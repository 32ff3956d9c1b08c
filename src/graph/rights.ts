import { type Access } from '../access/access.ts';
import type { Scope } from '../listing/list.ts';
import { AppError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import { stepTo, stepToMany, type Step } from './distance.ts';
import type { EntityClass, Reverse } from './member.ts';

/** The list of a type: who may read it, and which records it shows. */
export interface TypeList {
  /** Name of its query. */
  name: string;
  access: Access;
  /** Conditions on every row that the list shows. */
  always: Scope;
  /** Its columns by which it leaves out rows by default. Linked pages leave out none. */
  defaults: readonly string[];
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

/**
 * The path to the owner, if the list shows callers only their own records. Without it, nobody may follow a link to
 * them.
 */
const ownerOf = (access: Access): string | undefined => (access.kind === 'own' ? access.person : undefined);

/**
 * Whether links may lead to the list. They may if the declaration is enough to tell which records a caller may read.
 */
export const isFollowed = (access: Access): boolean =>
  access.kind === 'level' || ownerOf(access) !== undefined;

/** What one caller may read beyond the list that they called. Answers are cached for the request. */
export class Rights {
  readonly #found = new Map<EntityClass, Promise<Scope | undefined>>();

  constructor(
    private readonly lists: Lists,
    private readonly caller: Caller,
  ) {}

  /** Follows a to-many link. It asks for no right. */
  stepToMany(far: number, reverse: Reverse): Step {
    return stepToMany(this.lists, far, reverse);
  }

  /**
   * Follows a to-one link, and returns how far its target is from the last record of a list that the caller may read.
   * @throws FORBIDDEN with the path when the caller may not read the target
   */
  async follow(far: number, to: EntityClass, field: string): Promise<number> {
    const step = stepTo(this.lists, far, to);
    if (step.needs && !(await this.all(step.needs))) throw forbidden(field);
    return step.far;
  }

  /** Whether the caller may read all records of a class. With conditions, a permission would tell of records of others. */
  async all(target: EntityClass): Promise<boolean> {
    const scope = await this.on(target);
    return scope !== undefined && Object.keys(scope).length === 0;
  }

  /**
   * The conditions under which the caller may read records of a class, the same as in its list; undefined if they may
   * read none. A class without a list has the rights of the records that show it.
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

export const forbidden = (field: string): AppError =>
  new AppError('FORBIDDEN', { errors: [{ field, message: fieldMessages.mayNotRead }] });
