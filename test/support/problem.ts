import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** Names of the broken fields in a problem. */
export const fieldsOf = ({ body }: Answer): string[] =>
  body.errors.map((error: { field: string }) => error.field);

/** Checks that an answer is a problem document of RFC 9457, without internal details of the service. */
export function expectProblem({ status, headers, body }: Answer, expected: number, code: string): void {
  expect({ status, code: body.code, shown: body.status }).toEqual({
    status: expected,
    code,
    shown: expected,
  });
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({
    type: `/errors#${code}`,
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(body.instance).toBe(`urn:uuid:${headers.get('x-request-id')}`);
  expect(headers.get('content-language')).toMatch(/^(pt-BR|en)$/);
  expect(headers.get('www-authenticate')).toBe(status === 401 ? 'token realm="SII"' : null);
  expect(JSON.stringify(body)).not.toMatch(/<html|node_modules| at |select |insert /i);
}
