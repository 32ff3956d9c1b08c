import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import type { Config } from '../config.ts';

/** The demo needs no secret key, because its passwords are public. */
const DEMO_KEY = 'public key of the demo, which protects nothing';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Encrypts the secrets of webhooks. They cannot be hashed like passwords, because the service signs with them. */
export class SecretKeeper {
  readonly #key: Buffer;

  private constructor(setting: string) {
    this.#key = Buffer.from(hkdfSync('sha256', setting, '', 'secrets of webhooks', 32));
  }

  /** Undefined if the operator has set no key. */
  static of({ WEBHOOK_KEY, DATABASE_URL }: Config): SecretKeeper | undefined {
    const setting = WEBHOOK_KEY ?? (DATABASE_URL === undefined ? DEMO_KEY : undefined);
    return setting === undefined ? undefined : new SecretKeeper(setting);
  }

  /** Encrypts the secret of a webhook. It can be decrypted only for this webhook. */
  seal(idWebhook: number, secret: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG });
    cipher.setAAD(Buffer.from(String(idWebhook)));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Decrypts a secret; undefined if it was encrypted with another key, or for another webhook. */
  open(idWebhook: number, sealed: Buffer): string | undefined {
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(String(idWebhook)));
    decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
    try {
      return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}

/** A new secret in the format of Standard Webhooks: 256 random bits. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of a delivery sent at `now`, signed with each of these secrets. */
export function signedHeaders(
  { id, now }: { id: string; now: Date },
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Signer(secret).sign(id, now, body)).join(' '),
  };
}
