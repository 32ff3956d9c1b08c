import fc from 'fast-check';
import { describe, it } from 'vitest';
import { anyArrival, anyInvoiceStep, expectStep, InvoiceScene } from './support/invoice-history.ts';
import { expectBalanced } from './support/ledger.ts';
import { useService } from './support/service.ts';

/** One administrator sends everything. */
const service = useService({ APPROVE_OWN: 'true' });

describe('any history of movements around an invoice', () => {
  it('leaves corrections of its item exact, and all that others entered as it was', async () => {
    const histories = fc.array(anyInvoiceStep, { minLength: 5, maxLength: 16, size: 'max' });
    const property = fc.asyncProperty(
      anyArrival,
      fc.boolean(),
      histories,
      async (arrival, controlled, steps) => {
        const scene = await InvoiceScene.set(service(), arrival, controlled);
        for (const one of steps) await expectStep(scene, one);
        await expectBalanced(service());
      },
    );
    const seed = Number(process.env['FC_SEED'] ?? 20_261_128);
    await fc.assert(property, { seed, numRuns: 40, interruptAfterTimeLimit: 90_000 });
  });
});
