import { hash, verify } from '@node-rs/argon2';
import { newSecret } from './secrets.ts';

/** argon2id with OWASP's first choice of cost: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let nobody: string | undefined;

/**
 * Whether the password is the one behind the hash. Without a hash the same work is done and the answer is no,
 * so that the time taken does not tell whether a user exists.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= await hashPassword(newSecret());
  const matches = await verify(stored ?? nobody, password);
  return stored !== undefined && matches;
}
