import type { AppError } from '../errors.ts';
import type { Selection } from '../listing/selection.ts';
import type { EntityClass } from './member.ts';
import { forbidden, type Rights } from './rights.ts';
import type { Shapes } from './shape.ts';

/**
 * A selected link to a record that no list shows together with its own records. The caller needs further rights for it.
 */
interface BeyondLink {
  path: readonly string[];
  to: EntityClass;
}

/** By selection, and by distance of its records from a listed one. */
const known = new WeakMap<Selection, BeyondLink[][]>();

/** The links of a selection that lead beyond what a list shows. `far`: links from a listed record to these records. */
function beyond(
  selection: Selection,
  record: EntityClass,
  shapes: Shapes,
  far: number,
): readonly BeyondLink[] {
  let found = known.get(selection);
  if (!found) known.set(selection, (found = []));
  return (found[far] ??= [...walk(selection, record, shapes, far, [])]);
}

function* walk(
  selection: Selection,
  record: EntityClass,
  shapes: Shapes,
  far: number,
  path: readonly string[],
): Generator<BeyondLink> {
  for (const [property, below] of Object.entries(selection)) {
    const step = shapes.follow(record, property, far);
    if (!step) continue;
    const at = [...path, property];
    if (step.needs) yield { path: at, to: step.needs };
    yield* walk(below, step.to, shapes, step.far, at);
  }
}

/** The fields whose records may be withheld from a caller, because a path of links leads to them that needs more rights. */
export function withholdable(shapes: Shapes): { type: string; field: string }[] {
  const found = new Map<string, { type: string; field: string }>();
  const visited = new Map<EntityClass, Set<number>>();
  const visit = (record: EntityClass, far: number): void => {
    const shape = shapes.all.get(record);
    const distances = visited.get(record) ?? new Set();
    if (!shape || distances.has(far)) return;
    visited.set(record, distances.add(far));
    const links = shape.links.map(({ name, property }) => ({ name, property }));
    const many = shape.own.map(({ name }) => ({ name, property: name }));
    for (const { name, property } of [...links, ...many]) {
      const step = shapes.follow(record, property, far)!;
      if (step.needs) found.set(`${shape.name}.${name}`, { type: shape.name, field: name });
      visit(step.to, step.far);
    }
  };
  for (const record of shapes.all.keys()) visit(record, 0);
  return [...found.values()];
}

/** Replaces each linked record that the caller may not read by an error. GraphQL reports it at its field. */
export async function withhold(
  records: readonly object[],
  { selection, record, far }: { selection: Selection; record: EntityClass; far: number },
  shapes: Shapes,
  rights: Rights,
  toError: (error: AppError) => Error,
): Promise<void> {
  for (const { path, to } of beyond(selection, record, shapes, far)) {
    if (await rights.all(to)) continue;
    const error = toError(forbidden(path.join('.')));
    for (const owner of at(records, path.slice(0, -1))) owner[path.at(-1)!] = error;
  }
}

/** The records at the end of a path of links, except those withheld. */
function at(records: readonly object[], path: readonly string[]): Record<string, unknown>[] {
  let found: unknown[] = [...records];
  for (const link of path)
    found = found.flatMap(record =>
      record instanceof Error ? [] : ((record as Record<string, unknown>)[link] ?? []),
    );
  return found.filter(record => !(record instanceof Error)) as Record<string, unknown>[];
}
