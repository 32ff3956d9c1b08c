import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { Clerk, type Task } from './support/ledger-clerk.ts';
import { anyStep, register, rewrite, settle, Stage, type Step } from './support/ledger-history.ts';
import { expectAcknowledged, ConcurrentClients } from './support/ledger-concurrent-clients.ts';
import { expectBalanced } from './support/ledger.ts';
import { usePair } from './support/pair.ts';

const pair = usePair();

/** One seed for every run, so that a failure can be repeated; the variable `FC_SEED` sets another. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_120);
/** Shrinking stops early enough to report the smallest failure so far. */
const settings = { seed, interruptAfterTimeLimit: 60_000 };

afterEach(() => expectBalanced(pair().service));

function perform(client: Client, task: Task): Promise<Answer> {
  if (task.act === 'post') return register(client, task.bodies);
  if (task.act === 'put') return rewrite(client, task.id, task.body);
  return settle(client, task.act, task.id);
}

const statusOf = ({ status, body }: Answer): string => [status, ...(body.code ? [body.code] : [])].join(' ');

describe('any history of movements', () => {
  it('by one client gives the answers and the stock that a simple model in memory predicts', async () => {
    const history = fc.array(anyStep, { minLength: 30, maxLength: 80, size: 'max' });
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        const stage = await Stage.set(pair().service);
        const clerk = new Clerk(stage);
        for (const [turn, step] of steps.entries()) {
          const task = clerk.foresee(step);
          const answer = await perform(pair().client(turn), task);
          expect(statusOf(answer), `step ${turn}`).toBe(task.answer);
          if (task.act === 'post' && answer.status === 201)
            clerk.created(
              (answer.body.data as { id: number }[]).map(({ id }) => id),
              task.bodies,
            );
          expect(await stage.cells(), `after step ${turn}`).toEqual(clerk.cells);
        }
        const ledger = await stage.ledger();
        expect(ledger.map(row => [row.id, row.id_status_movimentacao])).toEqual(clerk.movements);
      }),
      { ...settings, numRuns: 5 },
    );
  });

  it('by many clients at once is in the ledger exactly as it was acknowledged', async () => {
    const script = fc.array(anyStep, { minLength: 10, maxLength: 25, size: 'max' });
    const scripts = fc.array(script, { minLength: 4, maxLength: 8, size: 'max' });
    await fc.assert(
      fc.asyncProperty(scripts, async histories => {
        const stage = await Stage.set(pair().service);
        const clients = new ConcurrentClients(stage);
        const run = async (steps: Step[], turn: number): Promise<void> => {
          for (const step of steps) await clients.perform(pair().client(turn), step);
        };
        await Promise.all(histories.map(run));
        await expectAcknowledged(stage, clients.stories);
      }),
      { ...settings, numRuns: 5 },
    );
  });
});
