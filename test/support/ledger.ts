import { expect } from 'vitest';
import { discrepancies, imbalances, wrongReversals } from '../../src/domain/reconciliation.ts';
import type { TestService } from './service.ts';

/** What `npm run ledger:verify` finds. */
export async function findings({ services }: TestService) {
  const { reader } = services.listing;
  return {
    cells: await discrepancies(reader),
    batches: await imbalances(reader),
    reversals: await wrongReversals(reader),
  };
}

/**
 * Every cell of stock is the sum of its effective movements, and nothing is in stock that did not come in. Called after
 * each test that moves stock.
 */
export async function expectBalanced(service: TestService): Promise<void> {
  expect(await findings(service)).toEqual({ cells: [], batches: [], reversals: [] });
}
