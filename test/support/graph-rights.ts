import type { EntityClass, Reverse } from '../../src/graph/member.ts';
import type { Shapes } from '../../src/graph/shape.ts';
import type { GraphQLAnswer } from './client.ts';

/** The part of a list that a person sees: everything, these records, or nothing. */
export type Visible = 'all' | 'none' | ReadonlySet<number>;

export type Errors = NonNullable<GraphQLAnswer['errors']>;

/** A request along a path, and a check of its answer. */
export interface Probe {
  call: string;
  problems: (answer: any, errors: Errors) => string[];
}

/** Most root fields in one request. */
const TOGETHER = 10;

export const inChunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, i) =>
    all.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );

/** Links from a class of records to another one. */
export interface Path {
  names: readonly string[];
  /** The classes along the path. */
  classes: readonly EntityClass[];
  /** The to-many links among its links, by place. */
  manys?: Readonly<Record<number, Reverse>>;
}

/** All paths with this number of links. Of paths through the same classes only one. */
export function linkPaths(shapes: Shapes, record: EntityClass, length: number): Path[] {
  let paths: Path[] = [{ names: [], classes: [record] }];
  for (let i = 0; i < length; i++) {
    const longer = paths.flatMap(({ names, classes }) =>
      shapes
        .known(shapes.all.get(classes.at(-1)!)!.links)
        .map(({ name, to }) => ({ names: [...names, name], classes: [...classes, to] })),
    );
    paths = [...new Map(longer.map(path => [path.classes.map(one => one.name).join(), path])).values()];
  }
  return paths;
}

/** The first link of a path that the caller must not be allowed to follow; undefined if there is none. */
export function firstGuarded(
  shapes: Shapes,
  { classes, manys = {} }: Path,
  visible: ReadonlyMap<EntityClass, Visible>,
): number | undefined {
  let far = 0;
  for (const [i, to] of classes.slice(1).entries()) {
    const many = manys[i];
    if (many && far > 0 && shapes.lists.has(many.of)) {
      if (visible.get(many.of) !== 'all') return i;
      // The record between, which the field leads through, is the one of the list.
      far = many.through ? 1 : 0;
    } else if (many || far < 2 || !shapes.lists.has(to)) far += 1;
    else if (visible.get(to) !== 'all') return i;
    else far = 0;
  }
  return undefined;
}

/** Writes calls of a query that always has the arguments `keys`. */
export const callOf =
  (query: string, keys: string) =>
  (args: string, below: string): string => {
    const given = [keys, args].filter(Boolean).join(', ');
    return `${query}${given && `(${given})`} { ${below} }`;
  };

/** Every possible request on a list along links and reverse links. */
export function probesOf(
  shapes: Shapes,
  record: EntityClass,
  query: string,
  keys: string,
  visible: ReadonlyMap<EntityClass, Visible>,
): Probe[] {
  const probes: Probe[] = [];
  const call = callOf(query, keys);
  for (let length = 1; length <= 3; length++)
    for (const path of linkPaths(shapes, record, length)) {
      const guarded = firstGuarded(shapes, path, visible);
      const upTo = guarded === undefined ? undefined : path.names.slice(0, guarded + 1);
      const column = shapes.all.get(path.classes.at(-1)!)!.columns[0]!.name;
      const member = (value: string): string =>
        around(path.names, ` ${column}: ${value} `, (name, below) => `${name}: {${below}}`);
      const refused = (at: string) => (_: unknown, errors: Errors) =>
        expectedField(errors, upTo && `${at}.${upTo.join('.')}`);
      probes.push(
        { call: call(`filter: {${member('{ isNull: true }')}}`, 'total'), problems: refused('filter') },
        {
          call: call(`orderBy: [{${member('asc')}}], itemsPerPage: 1`, 'data { __typename }'),
          problems: refused('orderBy[0]'),
        },
        {
          call: call(
            '',
            `groups(by: [{${around(path.names, ' id: true ', (name, below) => `${name}: {${below}}`)}}], first: 1) { count }`,
          ),
          problems: refused('by[0]'),
        },
        {
          call: call('itemsPerPage: 5', `data { ${selected(path.names, column)} }`),
          problems: (answer, errors) => selectionProblems(answer, errors, path.names, guarded),
        },
      );
    }
  for (let length = 0; length <= 2; length++)
    for (const path of linkPaths(shapes, record, length))
      for (const { name, reverse } of shapes.all.get(path.classes.at(-1)!)!.pages) {
        const seen = visible.get(reverse.of)!;
        const figures = 'total data { id } summary { count } groups(by: [{ id: true }]) { key { id } }';
        const some = around(path.names, ` ${name}: { some: {} } `, (link, below) => `${link}: {${below}}`);
        const at = ['filter', ...path.names, name].join('.');
        probes.push(
          {
            call: call(`filter: {${some}}`, 'total'),
            problems: (_, errors) => expectedField(errors, seen === 'none' ? at : undefined),
          },
          {
            call: call(
              'itemsPerPage: 5',
              `data { ${selected(path.names, `${name}(itemsPerPage: 100) { ${figures} }`)} }`,
            ),
            problems: (answer, errors) => pageProblems(answer, errors, [...path.names, name], seen),
          },
        );
        if (seen === 'none' || length > 0) continue;
        for (const beyond of linkPaths(shapes, reverse.of, 3)) {
          const guarded = firstGuarded(shapes, beyond, visible);
          const column = shapes.all.get(beyond.classes.at(-1)!)!.columns[0]!.name;
          probes.push({
            call: call(
              'itemsPerPage: 2',
              `data { ${selected(path.names, `${name}(itemsPerPage: 2) { data { ${selected(beyond.names, column)} } }`)} }`,
            ),
            problems: (answer, errors) =>
              selectionProblems(
                { data: pagesAt(answer, [...path.names, name]) },
                errors,
                beyond.names,
                guarded,
              ),
          });
        }
      }
  return probes;
}

export const around = (
  names: readonly string[],
  inner: string,
  wrap: (name: string, below: string) => string,
): string => names.reduceRight((below, name) => wrap(name, below), inner);

export const selected = (names: readonly string[], inner: string): string =>
  around(names, inner, (name, below) => `${name} { ${below} }`);

/** The problem unless exactly this field is refused; with undefined, unless none is. */
export function expectedField(errors: Errors, field: string | undefined): string[] {
  const told = errors.map(({ extensions }) => `${extensions.code} ${extensions.errors?.[0]?.field}`);
  const expected = field === undefined ? [] : [`FORBIDDEN ${field}`];
  return told.join() === expected.join()
    ? []
    : [`${told.join() || 'answered'} instead of ${expected.join() || 'answered'}`];
}

/** The records at the end of a path, of all records of an answer. */
export const along = (answer: any, names: readonly string[]): any[] =>
  names.reduce<any[]>((records, name) => records.flatMap(record => record?.[name] ?? []), answer?.data ?? []);

const pagesAt = (answer: any, names: readonly string[]): any[] =>
  along(answer, names).flatMap(page => page?.data ?? []);

/** Problems with links of which one must be refused: it must be null, with an error for each record that has it. */
export function selectionProblems(
  answer: any,
  errors: Errors,
  names: readonly string[],
  guarded: number | undefined,
): string[] {
  const link = guarded === undefined ? undefined : names[guarded]!;
  const other = errors.find(
    ({ extensions, path }) => extensions.code !== 'FORBIDDEN' || path?.findLast(isName) !== link,
  );
  if (other) return [JSON.stringify(other)];
  if (link === undefined) return answer ? [] : ['no answer'];
  const owners = along(answer, names.slice(0, guarded));
  const shown = owners.filter(owner => owner[link] !== null).length;
  return shown > 0 || !answer || errors.length !== owners.length
    ? [`showed ${shown}, refused ${errors.length} of ${owners.length}`]
    : [];
}

const isName = (step: string | number): boolean => typeof step === 'string';

/** What is wrong with the pages of linked records. */
function pageProblems(answer: any, errors: Errors, names: readonly string[], seen: Visible): string[] {
  if (seen === 'none') return selectionProblems(answer, errors, names, names.length - 1);
  if (errors.length > 0) return [JSON.stringify(errors[0])];
  return along(answer, names).flatMap(({ total, data, summary, groups }) => {
    const ids = data.map(({ id }: { id: number }) => id) as number[];
    const foreign =
      seen === 'all'
        ? []
        : [...ids, ...(groups ?? []).map(({ key }: any) => key.id)].filter(id => !seen.has(id as number));
    const most = Math.min(total, 100);
    const isRight = summary.count === total && (groups ?? ids).length === most && ids.length === most;
    return [
      ...foreign.map(id => `showed ${id}`),
      ...(isRight ? [] : [`counted ${total}, ${summary.count}, ${groups?.length}, ${ids.length}`]),
    ];
  });
}
