import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, so that none of them is still running when the other workers have nothing left to do. */
const LONGEST = [
  'statement-faults',
  'new-resource',
  'upgrade',
  'openapi',
  'pages-browser',
  'watchdog',
  'pages-secrets',
  'server-settings',
  'graph-rights',
  'lists',
  'database-faults',
  'promoted-beside',
  'fuzz-graphql',
  'invoice-edits',
  'lifecycle',
  'whole-lists',
  'list-engine.property',
  'throttle',
  'graph-filters.property',
  'audit-chain',
  'ldap-outage',
  'doors',
  'application-role',
  'social-name',
  'commands',
  'shutdown',
  'labels',
  'power',
  'workers',
  'embedded',
  'everything-on',
  'fuzz-rest',
  'idle-connections',
  'export-memory',
  'first-day',
  'generated-clients',
];

/** Begins with the longest. The others come as usual: by their size, or by what they took before. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex(name => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of arrays
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: {
    // Vite would load graphql's ES modules while Apollo loads its CommonJS ones: two realms that do not know each other.
    alias: [
      {
        find: /^graphql$/,
        replacement: fileURLToPath(new URL('./node_modules/graphql/index.js', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Twice the usual two cores: tests wait half of their time for a process, a lock or a time limit.
    maxWorkers: 4,
    // For what hangs: a machine that does much else besides takes several times as long for everything.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
