import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits, safe in headers and URLs. It is shown once and never stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The digest of a token or key, to be stored. One round of SHA-256 is enough for secrets that nobody can guess. */
export const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer');
