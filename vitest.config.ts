import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
    // One more than the usual two cores: tests often wait for a process, a lock or a time limit.
    maxWorkers: 3,
    // For what hangs: a machine that does much else besides takes several times as long for everything.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
