import { expect } from 'vitest';
import { discrepancies } from '../../src/domain/reconciliation.ts';
import type { TestService } from './service.ts';

/** Every cell of stock is the sum of its effective movements. Called after each test that moves stock. */
export async function expectBalanced({ services }: TestService): Promise<void> {
  expect(await discrepancies(services.listing.reader)).toEqual([]);
}
