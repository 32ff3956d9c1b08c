import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { databaseTexts } from '../database/messages.ts';
import { Bulkhead } from '../runtime/bulkhead.ts';
import { newSecret } from './secrets.ts';

/** OWASP's first choice of argon2id parameters: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Size of Node's thread pool. The same threads read files and look up host names. */
const THREADS = 4;

/**
 * Limits the passwords that are hashed at a time. Each occupies a processor and a thread, so half of the processors and
 * one of the threads are left for everything else.
 */
export const hashing = new Bulkhead({
  most: Math.max(1, Math.min(THREADS - 1, Math.floor(availableParallelism() / 2))),
  waiting: 300,
  patienceMs: 5_000,
  refusal: databaseTexts.overloaded,
  retryAfter: 2,
});

export const hashPassword = (password: string): Promise<string> => hashing.run(() => hash(password, cost));

let nobody: string | undefined;

/**
 * Whether the password matches the hash. Without a hash it does the same work and returns false, so that the response
 * time does not show whether a user exists.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= await hashPassword(newSecret());
  const known = stored ?? nobody;
  const matches = await hashing.run(() => verify(known, password));
  return stored !== undefined && matches;
}
