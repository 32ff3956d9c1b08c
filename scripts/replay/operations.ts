import { createSchema } from '../../src/graphql/schema.ts';
import { legacyView } from '../../src/rest/legacy-schema.ts';
import { matcher } from '../../src/rest/matcher.ts';
import type { Operation } from '../../src/rest/operation.ts';
import { routes } from '../../src/rest/routes.ts';
import { nearest } from '../../src/text/nearest.ts';

/** What the new service knows of a request. */
export interface KnownOperation {
  /** Such as `GET /almoxarifadoquimicos/materiais/{id}`. In an unknown path `…` replaces numbers. */
  name: string;
  isKnown: boolean;
  /** Values in the path, by name. */
  params: Readonly<Record<string, string>>;
  /** Query parameters that it does not know, each with the most similar known one. */
  unknown: { name: string; nearest?: string }[];
  /** Members by which the client orders the list; undefined if it asks for no order. */
  orders: string[] | undefined;
  /** Whether the answer is one page of several. */
  isPaged: boolean;
}

/** Returns a function that looks a request up among the operations of the new service. */
export async function knowledge(): Promise<(method: string, target: string) => KnownOperation> {
  const { operations } = legacyView(await createSchema(), routes);
  const match = matcher(operations);
  return (method, target) => {
    const [path = '', search] = target.split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    const found = match(path);
    const operation = found?.methods.get(method === 'HEAD' ? 'GET' : method);
    const given = [...new Set([...query.keys()].map(name => name.replace(/\[\d*\]$/, '')))];
    const orders = given.filter(name => /^(order|ordenar|ordernar)/i.test(name));
    const known = operation ? namesOf(operation) : [];
    return {
      name: `${method} ${operation?.route.path ?? path.replace(/\/[^/]*\d[^/]*/g, '/…')}`,
      isKnown: operation !== undefined,
      params: found?.params ?? {},
      unknown: operation
        ? given.filter(name => !known.includes(name)).map(name => withNearest(name, known))
        : [],
      orders: orders.length > 0 ? orders.map(memberOf) : undefined,
      isPaged: operation ? pages(operation, query) : false,
    };
  };
}

const namesOf = ({ parameters }: Operation): string[] =>
  parameters.filter(({ place }) => place === 'query').map(({ name }) => name);

function withNearest(name: string, known: string[]): { name: string; nearest?: string } {
  const like = nearest(name, known);
  return { name, ...(like && { nearest: like }) };
}

/** `OrderByNumeroNf` orders by `numero_nf`. */
const memberOf = (name: string): string =>
  name
    .replace(/^(order_?by|orden?ar_?por|ordernar_?por)_?/i, '')
    .replace(/(.)([A-Z])/g, '$1_$2')
    .toLowerCase();

function pages({ parameters }: Operation, query: URLSearchParams): boolean {
  const switched = parameters.find(({ property }) => property === 'pagination');
  if (!switched) return parameters.some(({ property }) => property === 'page');
  const given = query.get(switched.name) ?? String(switched.defaultValue);
  return /^(true|1)$/i.test(given);
}
