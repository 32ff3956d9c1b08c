import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { unpreparedReader } from '../database/reader.ts';
import { lacksLock } from '../database/table-locks.ts';
import { quote } from '../listing/builder.ts';
import { unreadable } from './messages.ts';
import type { ImportPlan } from './plan.ts';
import { Unimportable } from './problems.ts';

/** Longest wait for other writers, and the pause between two attempts. */
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 50;

/**
 * Blocks other writers of the imported records until the transaction ends. Readers are not blocked. It never waits in
 * the queue for the table, because other writers would queue behind it. Instead, it tries again until the table is
 * free.
 * @throws Unimportable when it is not free in time
 */
export async function lockTable(em: EntityManager, { table, rules }: ImportPlan): Promise<void> {
  const reader = unpreparedReader(em);
  const run = (text: string): Promise<unknown[][]> => reader.rows(text, []);
  const end = performance.now() + TIMEOUT_MS;
  await run('savepoint livre');
  for (;;) {
    try {
      for (const { first } of rules) await first?.(em);
      await run(`lock table ${quote(table)} in share row exclusive mode nowait`);
      // Inside the savepoint, PostgreSQL would not count new records as records of this transaction, and their lists
      // would be written twice.
      await run('release savepoint livre');
      return;
    } catch (error) {
      if (!lacksLock(error)) throw error;
      if (performance.now() > end) throw new Unimportable(unreadable.busy(table), [], { cause: error });
    }
    await run('rollback to savepoint livre');
    await sleep(PAUSE_MS);
  }
}
