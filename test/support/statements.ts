import { expect } from 'vitest';
import type { Reader } from '../../src/database/reader.ts';
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
  service: TestService,
  request: () => Promise<Answer>,
): Promise<{ statements: string[]; answer: Answer }> {
  const statements: string[] = [];
  const restore = readThrough(service, (read, ...asked) => (statements.push(asked[0]), read(...asked)));
  try {
    const answer = await request();
    return { statements, answer };
  } finally {
    restore();
  }
}

/** Lets lists and queries read through `rows`, one statement at a time, until the returned function is called. */
export function readThrough(
  { services }: TestService,
  rows: (read: Reader['rows'], ...asked: Parameters<Reader['rows']>) => Promise<unknown[][]>,
): () => void {
  const { listing, queryReader, readLane } = services;
  const { reader } = listing;
  const through: Reader = { rows: (...asked) => rows((...read) => reader.rows(...read), ...asked) };
  listing.reader = through;
  services.queryReader = { rows: (...asked) => readLane.rows(through, ...asked) };
  return () => {
    listing.reader = reader;
    services.queryReader = queryReader;
  };
}
