import type { EntityClass, Reverse } from './member.ts';

/** Links from a listed record whose columns its list shows (contract 11). Beyond them the caller needs other rights. */
const SHOWN_LINKS = 2;

/** A link that was followed from a record. */
export interface Step {
  /** Number of links from the last record of a list that the caller may read to what the link leads to. */
  far: number;
  /** The class whose list the caller needs for it; undefined if the link is open. */
  needs?: EntityClass;
}

/** Where the records that clients see are, from the records of the statement and from a listed record. */
export interface Start {
  /** Links that lead to them from the records of the statement. */
  links: readonly string[];
  /** How far they are from a listed record. */
  far: number;
}

/** They are the records of the statement, and a list shows them. */
export const LISTED: Start = { links: [], far: 0 };

/** The classes of records that have a list. The others have the rights of the records that show them. */
interface Listed {
  has: (record: EntityClass) => boolean;
}

/** Beyond the links that lists show, all distances are the same. */
const farther = (far: number): number => Math.min(far + 1, SHOWN_LINKS);

/** Follows a to-one link from a record that is so far from a listed one. */
export const stepTo = (listed: Listed, far: number, to: EntityClass): Step =>
  far < SHOWN_LINKS || !listed.has(to) ? { far: farther(far) } : { far: 0, needs: to };

/** Follows a to-many link. A field that REST shows is open with its listed record, and counts as one link. */
export function stepToMany(listed: Listed, far: number, { of, isShown, through }: Reverse): Step {
  if ((isShown && far === 0) || !listed.has(of)) return { far: farther(far) };
  return { far: through ? 1 : 0, needs: of };
}
