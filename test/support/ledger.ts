import { expect } from 'vitest';
import { discrepancies, imbalances, wrongReversals } from '../../src/domain/reconciliation.ts';
import type { TestService } from './service.ts';

/** The findings of `npm run ledger:verify`. */
export async function findings({ services }: TestService) {
  const { reader } = services.listing;
  return {
    cells: await discrepancies(reader),
    batches: await imbalances(reader),
    reversals: await wrongReversals(reader),
  };
}

/**
 * Checks that every cell of stock is the sum of its effective movements, and that all stock came in by an entry. Call
 * it after each test that moves stock.
 */
export async function expectBalanced(service: TestService): Promise<void> {
  expect(await findings(service)).toEqual({ cells: [], batches: [], reversals: [] });
}
