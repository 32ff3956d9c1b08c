import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { anyRequest, documentedOperations } from './support/fuzz-requests.ts';
import { fuzzing } from './support/fuzzing.ts';
import { problemsOfRest, Watch } from './support/fuzz-watch.ts';

vi.setConfig({ testTimeout: 3_600_000 });

let watch: Watch;
beforeAll(async () => {
  watch = await Watch.start();
});
afterAll(() => watch.stop());

const operations = documentedOperations(await createSchema());

it.each(operations.map(operation => [operation.method, operation.path, operation] as const))(
  'whatever is sent to %s %s is answered, and what is refused leaves nothing behind',
  async (_method, _path, operation) => {
    await fc.assert(
      fc.asyncProperty(anyRequest(operation), async wire => {
        const headers = { ...(await watch.headers()), ...wire.headers };
        await watch.expectHarmless({ ...wire, headers }, problemsOfRest);
      }),
      fuzzing(6),
    );
  },
);

it('some requests succeeded, and more were refused', () => {
  expect(watch.done).toBeGreaterThan(50);
  expect(watch.refused).toBeGreaterThan(watch.done);
});
