import type { AppError } from '../errors.ts';
import type { Selection } from '../listing/selection.ts';
import type { EntityClass } from './member.ts';
import { forbidden, SHOWN_LINKS, type Rights } from './rights.ts';
import type { Shape, Shapes } from './shape.ts';

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
  const shape = shapes.all.get(record);
  if (!shape) return;
  for (const [property, below] of Object.entries(selection)) {
    const at = [...path, property];
    const link = [...shape.links, ...shape.vias].find(known => known.property === property);
    const many = shape.own.find(({ name }) => name === property);
    const to = link?.to ?? many?.to;
    if (!to) continue;
    const isShown = many ? far === 0 : far < SHOWN_LINKS;
    const guarded = many?.reverse.of ?? to;
    if (isShown || !shapes.lists.has(guarded)) yield* walk(below, to, shapes, far + 1, at);
    else {
      yield { path: at, to: guarded };
      yield* walk(below, to, shapes, 0, at);
    }
  }
}

/**
 * The fields whose records may be withheld from a caller: links of records that may be two links away from a listed
 * one, and to-many fields of records that may be one link away.
 */
export function* withholdable({ all, lists }: Shapes): Generator<{ type: string; field: string }> {
  const single = ({ links, vias }: Shape) => [...links, ...vias];
  const targets = (found: readonly { to: EntityClass }[]) => new Set(found.map(({ to }) => to));
  const shapes = [...all];
  const near = targets(shapes.flatMap(([, shape]) => [...single(shape), ...shape.own]));
  const far = targets(shapes.flatMap(([record, shape]) => (near.has(record) ? single(shape) : [])));
  for (const [record, shape] of shapes) {
    const type = shape.name;
    for (const { name, to } of single(shape))
      if (far.has(record) && lists.has(to)) yield { type, field: name };
    for (const { name, reverse } of shape.own)
      if (near.has(record) && lists.has(reverse.of)) yield { type, field: name };
  }
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
    const scope = await rights.on(to);
    // With conditions, the permission would depend on the row, so the record is withheld.
    if (scope && Object.keys(scope).length === 0) continue;
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
