import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** The statements of an administrator's query, and its answer. The preceding statement of the session is left out. */
export async function statementsOn(
  service: TestService,
  query: string,
): Promise<{ statements: string[]; data: any }> {
  const admin = await service.as('admin');
  const { listing } = service.services;
  const { reader } = listing;
  const statements: string[] = [];
  listing.reader = { rows: (text, values) => (statements.push(text), reader.rows(text, values)) };
  try {
    const { data, errors } = await admin.graphql(query);
    expect(errors).toBeUndefined();
    return { statements: statements.filter(text => !text.includes('from sessao')), data };
  } finally {
    listing.reader = reader;
  }
}
