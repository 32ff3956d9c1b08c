import type { EntityClass } from '../../src/graph/member.ts';
import type { Shapes } from '../../src/graph/shape.ts';
import {
  along,
  around,
  callOf,
  expectedField,
  firstGuarded,
  linkPaths,
  selected,
  selectionProblems,
  type Errors,
  type Path,
  type Probe,
  type Visible,
} from './graph-rights.ts';

/** Every possible request on a list along a to-many field of its records, or of those that one link leads to. */
export function probesOfMany(
  shapes: Shapes,
  record: EntityClass,
  query: string,
  keys: string,
  visible: ReadonlyMap<EntityClass, Visible>,
): Probe[] {
  const call = callOf(query, keys);
  return manyPaths(shapes, record).flatMap(({ path, at }): Probe[] => {
    const guarded = firstGuarded(shapes, path, visible);
    const [before, many, beyond] = [path.names.slice(0, at), path.names[at]!, path.names.slice(at + 1)];
    const column = shapes.all.get(path.classes.at(-1)!)!.columns[0]!.name;
    const filter = around(beyond, ` ${column}: { isNull: true } `, (name, below) => `${name}: {${below}}`);
    const whole = around(before, `${many}: { some: {${filter}} }`, (name, below) => `${name}: {${below}}`);
    // In the answer of a quantifier, its name stands behind the field.
    const told = path.names.flatMap((name, i) => (i === at && guarded !== at ? [name, 'some'] : [name]));
    const upTo = guarded === undefined ? undefined : told.slice(0, guarded + (guarded > at ? 2 : 1));
    const through = (args: string): string =>
      selected(before, `${many}${args} { ${selected(beyond, column)} }`);
    return [
      {
        call: call(`filter: {${whole}}`, 'total'),
        problems: (_, errors) => expectedField(errors, upTo && `filter.${upTo.join('.')}`),
      },
      ...['', '(filter: {})'].map(args => ({
        call: call('itemsPerPage: 5', `data { ${through(args)} }`),
        problems: (answer: any, errors: Errors) => selectionProblems(answer, errors, path.names, guarded),
      })),
      {
        call: call(
          'itemsPerPage: 5',
          `data { ${selected(before, `${many}(filter: {${filter}}) { __typename }`)} }`,
        ),
        // The refusal of an argument may reach beyond the field, which is never null.
        problems: (answer, errors) =>
          guarded === undefined
            ? expectedField(errors, undefined)
            : refusedProblems(errors, along(answer, path.names.slice(0, at + 1)), along(answer, before)),
      },
    ];
  });
}

/** Paths with a to-many field at a place of theirs, and up to two links behind it. */
function manyPaths(shapes: Shapes, record: EntityClass): { path: Path; at: number }[] {
  const before = [0, 1].flatMap(length => linkPaths(shapes, record, length));
  return before.flatMap(({ names, classes }) =>
    shapes.known(shapes.all.get(classes.at(-1)!)!.own).flatMap(({ name, reverse, to }) =>
      [0, 1, 2].flatMap(length =>
        linkPaths(shapes, to, length).map(beyond => ({
          at: names.length,
          path: {
            names: [...names, name, ...beyond.names],
            classes: [...classes, ...beyond.classes],
            manys: { [names.length]: reverse },
          },
        })),
      ),
    ),
  );
}

/** What is wrong with the records of a field whose argument must be refused: it shows none, and says so if there are owners. */
function refusedProblems(errors: Errors, shown: readonly unknown[], owners: readonly unknown[]): string[] {
  const other = errors.find(({ extensions }) => extensions.code !== 'FORBIDDEN');
  if (other) return [JSON.stringify(other)];
  return shown.length > 0 || (owners.length > 0 && errors.length === 0)
    ? [`showed ${shown.length} in spite of its argument`]
    : [];
}
