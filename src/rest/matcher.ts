import { decoded } from './query.ts';
import type { Method } from './route.ts';

/** An operation at its path. */
interface RoutedOperation {
  route: { method: Method; path: string };
}

export interface Match<T> {
  /** The operations at this path, by method. */
  methods: ReadonlyMap<string, T>;
  /** Decoded values of the path's parameters. */
  params: Readonly<Record<string, string>>;
}

interface Pattern<T> {
  expression: RegExp;
  names: string[];
  methods: Map<string, T>;
}

const PARAMETER = /\{(\w+)\}/g;

/**
 * Finds the operations at a request's path. Plain paths take one look-up. Paths with parameters, which are always in
 * the last segment, are compared with the few patterns that have the same prefix. `:` separates parameters within a
 * segment; clients may encode it.
 */
export function matcher<T extends RoutedOperation>(
  mounted: readonly T[],
): (path: string) => Match<T> | undefined {
  const plain = new Map<string, Map<string, T>>();
  const patterns = new Map<string, Pattern<T>[]>();
  for (const one of mounted) methodsAt(plain, patterns, one.route.path).set(one.route.method, one);
  return given => {
    const path = given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given;
    const methods = plain.get(path);
    return methods
      ? { methods, params: {} }
      : firstMatch(patterns.get(parent(path)) ?? [], path.slice(parent(path).length));
  };
}

/** Most segments of a path that are logged. */
const DEPTH = 6;

/**
 * The part of an unknown path that may be logged: segments that occur in a path of the specification, and `{}` for all
 * others, because clients may send anything.
 */
export function shapeOf(mounted: readonly RoutedOperation[]): (path: string) => string {
  const known = new Set(mounted.flatMap(({ route }) => route.path.split('/')));
  return path => {
    const [, ...segments] = path.split('/');
    const shown = segments.slice(0, DEPTH).map(segment => (known.has(segment) ? segment : '{}'));
    return `/${[...shown, ...(segments.length > DEPTH ? ['…'] : [])].join('/')}`;
  };
}

const parent = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function methodsAt<T>(
  plain: Map<string, Map<string, T>>,
  patterns: Map<string, Pattern<T>[]>,
  path: string,
): Map<string, T> {
  const names = [...path.matchAll(PARAMETER)].map(match => match[1]!);
  if (names.length === 0) return plain.get(path) ?? plain.set(path, new Map()).get(path)!;
  const siblings = patterns.get(parent(path)) ?? patterns.set(parent(path), []).get(parent(path))!;
  const expression = new RegExp(`^${names.map(() => '(.+?)').join('(?::|%3[Aa])')}$`);
  let pattern = siblings.find(known => known.names.join() === names.join());
  if (!pattern) siblings.push((pattern = { expression, names, methods: new Map() }));
  // Patterns with more parameters come first, because `{id}` alone would also match `1:2`.
  siblings.sort((a, b) => b.names.length - a.names.length);
  return pattern.methods;
}

function firstMatch<T>(siblings: Pattern<T>[], segment: string): Match<T> | undefined {
  for (const { expression, names, methods } of siblings) {
    const values = expression.exec(segment)?.slice(1).map(decoded);
    if (values?.every(value => value !== undefined))
      return { methods, params: Object.fromEntries(names.map((name, i) => [name, values[i]!])) };
  }
  return undefined;
}
