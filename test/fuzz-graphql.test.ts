import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rootFields } from '../src/graphql/guard.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { anyDocument } from './support/fuzz-documents.ts';
import { fuzzing } from './support/fuzzing.ts';
import { problemsOfGraphQL, Watch } from './support/fuzz-watch.ts';

vi.setConfig({ testTimeout: 3_600_000 });

let watch: Watch;
beforeAll(async () => {
  watch = await Watch.start();
});
afterAll(() => watch.stop());

const schema = await createSchema();
const mutations = new Set(Object.keys(schema.getMutationType()!.getFields()));
const fields = rootFields(schema).map(
  field => [mutations.has(field.name) ? 'mutation' : 'query', field.name, field] as const,
);

it.each(fields)(
  'whatever is asked of the %s %s is answered, and what is refused leaves nothing behind',
  async (kind, _name, field) => {
    await fc.assert(
      fc.asyncProperty(anyDocument(kind, field), async body => {
        const headers = { ...(await watch.headers()), 'content-type': 'application/json' };
        const wire = { method: 'POST', target: '/graphql', headers, body };
        await watch.expectHarmless(wire, problemsOfGraphQL);
      }),
      fuzzing(10),
    );
  },
);

it('some requests succeeded, and more were refused', () => {
  expect(watch.done).toBeGreaterThan(50);
  expect(watch.refused).toBeGreaterThan(watch.done);
});
