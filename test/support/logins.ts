import { demoPassword } from '../../src/demo/login.ts';
import { systemHeaders, type Answer } from './client.ts';
import { makePerson } from './permissions.ts';
import { quickHash } from './passwords.ts';
import type { TestService } from './service.ts';

export interface Attempt {
  password?: string;
  /** Client address that the proxy forwards. */
  from?: string;
  headers?: Record<string, string>;
}

/** A login attempt, by default with a wrong password. */
export function attempt(
  on: TestService,
  username: string,
  { password = 'wrong', from, headers = {} }: Attempt = {},
): Promise<Answer> {
  const forwarded: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
  return on.anyone
    .with({ ...systemHeaders, ...forwarded, ...headers })
    .post('/auth/login', { username, password });
}

export const right = (on: TestService, username: string, more: Attempt = {}): Promise<Answer> =>
  attempt(on, username, { password: demoPassword(username), ...more });

/** Ten at a time: on a busy machine more of them would wait longer for the hash of their password than a login may. */
export async function times<T>(count: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += 10) {
    const some = Array.from({ length: Math.min(10, count - from) }, (_, i) => act(from + i));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

/** Number of answers by status. */
export function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** People who all have the same password. Returns their user names. */
export async function makePeople(on: TestService, count: number, password: string): Promise<string[]> {
  const hash = await quickHash(password);
  const users = Array.from({ length: count }, (_, i) => `multidao-${i}-${count}`);
  for (const user of users)
    await on.sql('insert into credencial (id_pessoa, senha_hash) values ($1, $2)', [
      await makePerson(on, user),
      hash,
    ]);
  return users;
}
