import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** The statements of an administrator's query, and its answer. The preceding statement of the session is left out. */
export async function statementsOn(
  service: TestService,
  query: string,
): Promise<{ statements: string[]; data: any }> {
  const admin = await service.as('admin');
  const { statements, answer } = await statementsDuring(service, () => admin.graphql(query));
  const { data, errors } = answer;
  expect(errors).toBeUndefined();
  return { statements: statements.filter(text => !text.includes('from sessao')), data };
}

/** The statements of a request that read lists and sessions, and its answer. */
export async function statementsDuring<Answer>(
  { services: { listing } }: TestService,
  request: () => Promise<Answer>,
): Promise<{ statements: string[]; answer: Answer }> {
  const { reader } = listing;
  const statements: string[] = [];
  listing.reader = { rows: (text, values) => (statements.push(text), reader.rows(text, values)) };
  try {
    const answer = await request();
    return { statements, answer };
  } finally {
    listing.reader = reader;
  }
}
