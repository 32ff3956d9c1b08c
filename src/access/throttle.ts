import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { digest } from './secrets.ts';

/** Failed logins allowed in 15 minutes (contract 6). */
const WINDOW = 15 * 60;
const PER_USER = 5;
const PER_ADDRESS = 50;

/** A key as the table takes it: of one length, whatever was typed. It may be a password in the wrong place, too. */
const keyOf = (text: string): string => digest(text).toString('base64url');

/** Counts failed logins in the database, so that all processes of the service share the count. */
export class LoginThrottle {
  readonly #user: RateLimiterPostgres;
  readonly #address: RateLimiterPostgres;

  constructor(pool: Pick<Pool, 'query'>) {
    const options = {
      storeClient: pool,
      storeType: 'pool',
      tableName: 'tentativa_login',
      tableCreated: true,
      duration: WINDOW,
    };
    // One of the two deletes what expired, every five minutes and for both.
    this.#user = new RateLimiterPostgres({
      ...options,
      keyPrefix: 'usuario',
      points: PER_USER,
      clearExpiredByTimeout: false,
    });
    this.#address = new RateLimiterPostgres({ ...options, keyPrefix: 'endereco', points: PER_ADDRESS });
  }

  /**
   * Counts an attempt before its password is looked at, so that attempts at the same time cannot pass together.
   * @throws RATE_LIMITED
   */
  async attempt(user: string, address: string): Promise<void> {
    await consume(this.#address, address);
    await consume(this.#user, user);
  }

  /** Takes back the count of an attempt that succeeded; the user starts anew. */
  async succeeded(user: string, address: string): Promise<void> {
    await this.#address.reward(keyOf(address));
    await this.#user.delete(keyOf(user));
  }

  /** Takes back the count of an attempt that came to nothing, neither right nor wrong. */
  async forgive(user: string, address: string): Promise<void> {
    await this.#address.reward(keyOf(address));
    await this.#user.reward(keyOf(user));
  }
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(keyOf(key));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError('RATE_LIMITED', { detail: messages.tooManyAttempts(seconds), retryAfter: seconds });
  }
}
