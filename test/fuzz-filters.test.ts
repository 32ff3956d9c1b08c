import fc from 'fast-check';
import { isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { shapesOf } from '../src/graph/shape.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { anyValue } from './support/fuzz-documents.ts';
import { fuzzing } from './support/fuzzing.ts';
import { problemsOfGraphQL, Watch } from './support/fuzz-watch.ts';
import { readThrough } from './support/statements.ts';

vi.setConfig({ testTimeout: 3_600_000 });

let watch: Watch;
beforeAll(async () => {
  watch = await Watch.start();
});
afterAll(() => watch.stop());

const { queries } = shapesOf(await createSchema())!;
const derived = ['filter', 'orderBy'] as const;

/** Any list with any filter and ordering, as the body of a POST. */
const anyList = fc.constantFrom(...queries).chain(({ field }) => {
  const args = derived.map(name => field.args.find(arg => arg.name === name)!);
  const keys = field.args.filter(isRequiredArgument);
  const passed = [...args.map(({ name }) => `${name}: $${name}`), ...keys.map(({ name }) => `${name}: 1`)];
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`);
  const query = `query (${declared.join(', ')}) { ${field.name}(${passed.join(', ')}) { total nextCursor summary { count } data { __typename } } }`;
  return fc
    .tuple(...args.map(({ name, type }) => anyValue(type, name)))
    .map(([filter, orderBy]) =>
      Buffer.from(`{"query":${JSON.stringify(query)},"variables":{"filter":${filter},"orderBy":${orderBy}}}`),
    );
});

/** Number of filters of a normal run. `FUZZ_RUNS=50` makes it 10,000. */
const FILTERS = 200;

it('any filter and order is answered or refused, and reads no more than a request may', async () => {
  const { limits } = watch.service.services.listing;
  let rows = 0;
  readThrough(watch.service, async (read, text, values, composed) => {
    const found = await read(text, values, composed);
    if (composed?.budget) rows += found.length;
    return found;
  });
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(anyList, async body => {
      rows = 0;
      const headers = { ...(await watch.headers()), 'content-type': 'application/json' };
      const wire = { method: 'POST', target: '/graphql', headers, body };
      const { text } = await watch.expectHarmless(wire, problemsOfGraphQL);
      if (!text.includes('"errors"')) answered += 1;
      expect(rows).toBeLessThanOrEqual(limits.request.rows + 1);
    }),
    fuzzing(FILTERS),
  );
  expect(answered).toBeGreaterThan(FILTERS / 10);
  expect(watch.refused).toBeGreaterThan(FILTERS / 10);
});
