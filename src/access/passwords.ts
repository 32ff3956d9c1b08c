import { hash, verify } from '@node-rs/argon2';
import { newSecret } from './secrets.ts';

/** OWASP's first choice of argon2id parameters: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let nobody: string | undefined;

/**
 * Whether the password matches the hash. Without a hash it does the same work and returns false, so that the response
 * time does not show whether a user exists.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= await hashPassword(newSecret());
  const matches = await verify(stored ?? nobody, password);
  return stored !== undefined && matches;
}
