import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import express from 'express';
import fc from 'fast-check';
import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentLimits } from '../src/graphql/limits.ts';
import { brokenLimit, defaultLimits, limitsPlugin, parseOptions } from '../src/graphql/limits.ts';
import { answerWith } from '../src/graphql/over-http.ts';
import type { Context } from '../src/request/context.ts';

const schema = buildSchema(`
  input Filtro { e: [Filtro!], ids: [Int!] }
  interface Coisa { id: ID! }
  type Query { ping: String!, coisa: Coisa!, material(filtro: Filtro): Material!, materiais(filtro: Filtro): Pagina!, lista(pagination: Boolean = true, itemsPerPage: Int = 10): ListaPage!, todos(pagination: Boolean = false, itemsPerPage: Int = 10): ListaPage! }
  type ListaPage { data: [Material!]!, groups(first: Int): [Material!]!, itemsPerPage: Int! }
  type Pagina { data: [Material!]!, total: Int! }
  type Material implements Coisa { id: ID!, nome: String!, pai: Material!, par: Material!, partes: [Material!]!, grade: [[Material!]!]! }
`);
const counts = (count: number): DocumentLimits => {
  return { tokens: count, depth: count, aliases: count, directives: count, rootFields: count, cost: count };
};
const check = (text: string, limits = defaultLimits) => brokenLimit(parse(text), schema, limits);

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const deep = (levels: number, open: string, inner: string) =>
  `${open.repeat(levels)}${inner}${'}'.repeat(levels)}`;
const on = (name: string, body: string) => `fragment ${name} on Material { ${body} }`;
const material = (selections: string, fragments = '') => `{ material { ${selections} } } ${fragments}`;

/** Fragments F0 … F`length`, each spreading the next wherever `body` says. */
const chain = (length: number, body: (next: string) => string) =>
  `${times(length, i => on(`F${i}`, body(`...F${i + 1}`)))} ${on(`F${length}`, 'id')}`;
const aliased = (next: string) => `a: par { ${next} } b: par { ${next} }`;
const unaliased = (next: string) => `par { ${next} ${next} } pai { ${next} ${next} }`;
const bomb = material('...F0', chain(26, aliased));

const sideBySide = material(
  times(500, i => `...F${i}`),
  times(500, i => on(`F${i}`, 'id')),
);

const inPage = (selections: string) => `{ data { ${selections} } }`;
const record = (links: string) => `{ ${times(25, () => 'nome')} ${links} }`;
const linked = record(`par ${record(`pai ${record(`par ${record('')}`)}`)} partes ${record('par { id }')}`);
const list = 'materiais { total data { id nome par { id nome } partes { id nome } } }';
const introspection = getIntrospectionQuery({
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});
const introspectionFragment = introspection.replace('query IntrospectionQuery', 'fragment I on Query');

describe('honest documents', () => {
  it.each([
    ['the introspection query', getIntrospectionQuery()],
    ['the introspection query with everything in it', introspection],
    [
      'a page of records with links of links of links and a to-many link',
      `{ materiais { total data ${linked} } }`,
    ],
    ['ten lists', `{ ${times(10, i => `l${i}: ${list}`)} }`],
    ['a type with its enum values', '{ __type(name: "A") { fields { type { enumValues { name } } } } }'],
    ['a thousand ids', `{ materiais(filtro: { ids: [${times(1000, String)}] }) { total } }`],
  ])('pass: %s', (_, text) => {
    expect(check(text)).toBeUndefined();
  });
});

const abusive: [limit: string, found: number, name: string, text: string][] = [
  ['depth', 55, 'a chain of fragments under aliases', bomb],
  ['depth', 55, 'the chain in a second operation', `query A { ping } query B ${bomb}`],
  ['depth', 53, 'the chain that no operation uses', `{ ping } ${chain(26, aliased)}`],
  ['aliases', 62, 'a short chain', material('...F0', chain(5, aliased))],
  ['cost', 109_227, 'a short chain without aliases', material('...F0', chain(8, unaliased))],
  [
    'cost',
    63_601,
    'a spread repeated',
    material(
      times(300, () => '...F'),
      on('F', `id partes { ${times(21, () => 'id')} }`),
    ),
  ],
  ['cost', 1_010_102, 'lists inside lists', material('grade { grade { grade { id } } }')],
  [
    'cost',
    1_010_102,
    'lists behind a type condition',
    '{ coisa { ... on Material { grade { grade { grade { id } } } } } }',
  ],
  ['cost', 103_726, 'two introspections at once', `{ ...I ...I } ${introspectionFragment}`],
  ['fragmentCycle', 1, 'a fragment in itself', material('...F', on('F', 'pai { ...F }'))],
  ['fragmentCycle', 1, 'an unused cycle', `{ ping } ${on('F', '...G')} ${on('G', '...F')}`],
  ['depth', 32, 'deep fields', material(deep(30, 'par { ', 'id'))],
  ['depth', 1602, 'deep inline fragments', material(deep(1600, '... { ', 'id'))],
  ['depth', 501, 'a deep literal', `{ material(filtro: ${deep(500, '{ e: ', '{}')}) { id } }`],
  [
    'depth',
    501,
    'a deep default',
    `query ($f: Filtro = ${deep(500, '{ e: ', '{}')}) { material(filtro: $f) { id } }`,
  ],
  ['aliases', 60, 'many aliases', material(times(60, i => `a${i}: id`))],
  ['directives', 60, 'many directives', material(times(60, () => 'id @skip(if: false)'))],
  [
    'directives',
    60,
    'directives in a fragment',
    material(
      times(30, () => '...F @skip(if: true)'),
      on('F', '... @skip(if: true) { id }'),
    ),
  ],
  ['rootFields', 30, 'many root fields', `{ ${times(30, () => 'ping')} }`],
  [
    'rootFields',
    30,
    'root fields in a fragment',
    `{ ...F ...F ...F } fragment F on Query { ${times(10, () => 'ping')} }`,
  ],
  ['introspection', 2, 'fields of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
  [
    'introspection',
    2,
    'fields of interfaces in a fragment',
    '{ __type(name: "A") { interfaces { ...F } } } fragment F on __Type { fields { name } }',
  ],
];

describe('the cost of a page', () => {
  it.each<[cost: number, what: string, text: string]>([
    [22, 'of the usual size', `{ lista ${inPage('id nome')} }`],
    [6, 'of two', `{ lista(itemsPerPage: 2) ${inPage('id nome')} }`],
    [
      6,
      'of two, in a fragment',
      `{ lista(itemsPerPage: 2) { ...P } } fragment P on ListaPage ${inPage('id nome')}`,
    ],
    [
      28,
      'in a fragment that two pages use',
      `{ a: lista { ...P } b: lista(itemsPerPage: 2) { ... { ...P } } } fragment P on ListaPage ${inPage('id nome')}`,
    ],
    [22, 'larger than usual', `{ lista(itemsPerPage: 50) ${inPage('id nome')} }`],
    [22, 'of none, which is refused later', `{ lista(itemsPerPage: 0) ${inPage('id nome')} }`],
    [22, 'below nothing, which is refused later', `{ lista(itemsPerPage: -3) ${inPage('id nome')} }`],
    [22, 'by a variable', `query ($n: Int = 1) { lista(itemsPerPage: $n) ${inPage('id nome')} }`],
    [22, 'of a list without pages', `{ lista(pagination: false, itemsPerPage: 1) ${inPage('id nome')} }`],
    [
      22,
      'that a variable may make whole',
      `query ($p: Boolean) { lista(pagination: $p, itemsPerPage: 1) ${inPage('id nome')} }`,
    ],
    [22, 'of a list that is whole unless paged', `{ todos(itemsPerPage: 1) ${inPage('id nome')} }`],
    [4, 'of the same, paged', `{ todos(pagination: true, itemsPerPage: 1) ${inPage('id nome')} }`],
    [23, 'and its other lists', '{ lista(itemsPerPage: 1) { groups(first: 1) { id nome } itemsPerPage } }'],
    [24, 'and lists of its records', `{ lista(itemsPerPage: 1) ${inPage('id partes { id nome }')} }`],
  ])('is %i %s', (cost, _, text) => {
    expect(check(text, { ...counts(Infinity), cost: cost - 1 })?.found).toBe(cost);
  });
});

describe('abusive documents', () => {
  it.each(abusive)('break the limit %s with %i: %s', (limit, found, _, text) => {
    expect(check(text)).toMatchObject({ limit, found });
  });

  it('are refused for their tokens even if the parser did not count', () => {
    expect(check(`{ ${times(6000, () => 'ping')} }`)).toEqual({
      limit: 'tokens',
      allowed: 5000,
      found: 6002,
    });
  });

  it('are counted up to the largest safe integer, even with a very long chain of fragments', () => {
    const text = material(
      '...F0',
      chain(400, next => `partes { ${next} ${next} }`),
    );
    const limits = { ...counts(Infinity), cost: 1 };
    expect(check(text, limits)).toEqual({ limit: 'cost', allowed: 1, found: Number.MAX_SAFE_INTEGER });
  });
});

describe('a random document', () => {
  /**
   * A spread uses the fragment that is `ahead` positions further, so there is no cycle. After the last fragment it is a
   * field.
   */
  interface Part {
    kind: 'id' | 'par' | 'partes' | 'grade' | '...' | 'spread';
    alias: boolean;
    directive: boolean;
    ahead: number;
    below: Part[];
  }
  const flags = { alias: fc.boolean(), directive: fc.boolean(), ahead: fc.integer({ min: 1, max: 3 }) };
  const { parts } = fc.letrec<{ parts: Part[]; part: Part }>(tie => ({
    parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
    part: fc.oneof(
      { maxDepth: 3 },
      fc.record({ ...flags, kind: fc.constantFrom('id', 'spread'), below: fc.constant<Part[]>([]) }),
      fc.record({ ...flags, kind: fc.constantFrom('par', 'partes', 'grade', '...'), below: tie('parts') }),
    ),
  }));
  const factors: Partial<Record<Part['kind'], number>> = { partes: 10, grade: 100 };

  function print({ kind, alias, directive, ahead, below }: Part, at: number, last: number): string {
    if (kind === 'spread' && at + ahead > last) return 'id';
    const name = kind === 'spread' ? `...F${at + ahead}` : `${alias && kind !== '...' ? 'x: ' : ''}${kind}`;
    const inner = below.map(part => print(part, at, last)).join(' ');
    return `${name} ${directive ? '@skip(if: true)' : ''} ${inner && `{ ${inner} }`}`;
  }

  /** Walks into every spread again. The memoised sums must have the same result. */
  function walk(list: Part[], at: number, fragments: Part[][], seen = counts(0), factor = 1, level = 1) {
    for (const { kind, alias, directive, ahead, below } of list) {
      const spread = kind === 'spread' ? fragments[at + ahead] : undefined;
      const isField = kind !== 'spread' && kind !== '...';
      seen.depth = Math.max(seen.depth, level);
      seen.cost += isField || (kind === 'spread' && !spread) ? factor : 0;
      seen.aliases += isField && alias ? 1 : 0;
      seen.directives += directive && (kind !== 'spread' || spread) ? 1 : 0;
      if (spread) walk(spread, at + ahead, fragments, seen, factor, level + 1);
      walk(below, at, fragments, seen, factor * (factors[kind] ?? 1), level + 1);
    }
    return seen;
  }

  it('has the same count as with every fragment written out', () => {
    const property = fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), fragments => {
      const last = fragments.length - 1;
      const bodies = fragments.map((list, i) => list.map(part => print(part, i, last)).join(' '));
      const text = bodies.map((body, i) => on(`F${i}`, body)).join(' ');
      const walked = fragments.map((list, i) => walk(list, i, fragments));
      for (const limit of ['depth', 'aliases', 'directives', 'cost'] as const) {
        const found = Math.max(...walked.map(seen => seen[limit]));
        // Above this number neither of the two counts exactly.
        if (found > Number.MAX_SAFE_INTEGER) continue;
        expect(check(text, { ...counts(Infinity), [limit]: found })).toBeUndefined();
        expect(check(text, { ...counts(Infinity), [limit]: found - 1 })?.found).toBe(found);
      }
    });
    fc.assert(property);
  });
});

describe('a server with the limits', () => {
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const resolveMaterial = vi.fn(() => ({ id: '1', nome: 'Acetona' }));
  const apollo = new ApolloServer<Context>({
    schema,
    logger,
    rootValue: { ping: () => 'pong', material: resolveMaterial },
    parseOptions,
    plugins: [limitsPlugin],
    // As in the service: Apollo does not see the content type.
    csrfPrevention: false,
    stopOnTerminationSignals: false,
  });
  const app = express();
  const listening = Promise.withResolvers<void>();
  let server: Server;

  beforeAll(async () => {
    await apollo.start();
    app.use((_req, res, next) => {
      res.locals.context = {} as Context;
      next();
    });
    app.use('/graphql', express.json(), answerWith(apollo));
    server = app.listen(0, '127.0.0.1', () => listening.resolve());
    await listening.promise;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await apollo.stop();
  });

  async function post(body: object) {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  const refused = (status: number, code: string, message = expect.any(String) as string) => {
    return { status, body: { errors: [{ message, extensions: { code } }] } };
  };
  const exceeded = (limit: string, found: number, allowed: number, advice = '') =>
    refused(
      400,
      'BAD_REQUEST',
      `The document exceeds the limit "${limit}": found ${found}, allowed ${allowed}.${advice}`,
    );

  it('answers a document within them, the first time and from its store', async () => {
    const answer = { status: 200, body: { data: { material: { id: '1' } } } };
    expect(await post({ query: '{ material { id } }' })).toEqual(answer);
    expect(await post({ query: '{ material { id } }' })).toEqual(answer);
  });

  it('refuses the bomb every time and goes on answering other clients', async () => {
    resolveMaterial.mockClear();
    const bombs = Array.from({ length: 20 }, () => post({ query: bomb }));
    expect(await post({ query: '{ ping }' })).toEqual({ status: 200, body: { data: { ping: 'pong' } } });
    expect(await Promise.all(bombs)).toMatchObject(bombs.map(() => exceeded('depth', 55, 20)));
    expect(resolveMaterial).not.toHaveBeenCalled();
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('refuses before it validates', async () => {
    const text = `{ ${times(30, i => `unknown${i}`)} }`;
    expect(await post({ query: text })).toMatchObject(exceeded('rootFields', 30, 20));
  });

  it('says what lowers the cost of a document', async () => {
    const advice =
      ' Select less below lists, or write itemsPerPage below 10 into the document, as a number and not as a variable.';
    const lists = material('grade { grade { grade { id } } }');
    expect(await post({ query: lists })).toEqual(exceeded('cost', 1_010_102, 60_000, advice));
  });

  it('does not register a refused document as a persisted query', async () => {
    const sha256Hash = createHash('sha256').update(bomb).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    expect(await post({ query: bomb, extensions })).toMatchObject(exceeded('depth', 55, 20));
    expect(await post({ extensions })).toMatchObject(refused(200, 'PERSISTED_QUERY_NOT_FOUND'));
  });

  it.each(abusive)('answers 400 to what breaks the limit %s with %i: %s', async (limit, found, _, query) => {
    const message = expect.stringContaining(`"${limit}": found ${found}, `) as string;
    expect(await post({ query })).toMatchObject(refused(400, 'BAD_REQUEST', message));
  });

  it.each([
    ['too many tokens', 'GRAPHQL_PARSE_FAILED', `{ ${times(6000, () => 'ping')} }`],
    ['literals too deep for the parser', 'GRAPHQL_PARSE_FAILED', `{ material(filtro: ${'['.repeat(4900)}`],
    ['fragments side by side', 'GRAPHQL_VALIDATION_FAILED', sideBySide],
    ['a field repeated often', 'GRAPHQL_VALIDATION_FAILED', material(times(4000, () => 'id'))],
  ])('answers 400 to %s', async (_, code, query) => {
    expect(await post({ query })).toMatchObject(refused(400, code));
  });
});
