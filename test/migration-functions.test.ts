import { Migration } from '@mikro-orm/migrations';
import { expect, it } from 'vitest';
import { exportsBelow } from '../src/runtime/modules.ts';

type MigrationClass = new (...parts: ConstructorParameters<typeof Migration>) => Migration;

const isMigration = (value: unknown): value is MigrationClass =>
  typeof value === 'function' && value.prototype instanceof Migration;

const noDatabase = { execute: async () => [] } as never;

const CREATED = /create (?:or replace )?function (\w+)\s*\([^]*?\blanguage (\w+)/g;
const LOCKED =
  /^lock table (only )?auditoria in (share|share row exclusive|exclusive|access exclusive) mode$/;

/** Functions that a migration replaces by those of another language, without a lock that statements wait for. */
async function changedInUse(
  direction: 'up' | 'down',
  languages = new Map<string, string>(),
): Promise<string[]> {
  const found: string[] = [];
  const all = (await exportsBelow(new URL('../src/database/migrations/', import.meta.url))).filter(
    isMigration,
  );
  const classes = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const migration of direction === 'up' ? classes : classes.toReversed()) {
    // Nobody gets below a migration that cannot be reverted.
    if (migration.prototype[direction] === Migration.prototype[direction]) break;
    const made = new migration(noDatabase, undefined as never);
    await made[direction]();
    let isLocked = false;
    for (const query of made.getQueries().map(String)) {
      isLocked ||= LOCKED.test(query);
      for (const [, name, language] of query.matchAll(CREATED)) {
        const before = languages.get(name!);
        if (before !== undefined && before !== language && !isLocked) found.push(`${migration.name} ${name}`);
        languages.set(name!, language!);
      }
      for (const [, names] of query.matchAll(/drop function (?:if exists )?([^;(]+)/g))
        for (const name of names!.split(', ')) languages.delete(name.trim());
    }
  }
  return found;
}

it('no migration changes the language of a function while statements may run it', async () => {
  const languages = new Map<string, string>();
  // In SQL its body was a part of each statement, so no statement called it.
  const never = new Set(['Migration20261126000107 contains_pattern']);
  expect((await changedInUse('up', languages)).filter(found => !never.has(found))).toEqual([]);
  expect(languages.size).toBeGreaterThan(10);
  expect(await changedInUse('down', languages)).toEqual([]);
});
