import { createHmac, timingSafeEqual } from 'node:crypto';
import { digest } from './secrets.ts';

/** Seconds for which a signed path is valid. */
export const VALID_SECONDS = 60;

/** Who signed: the session, and the key of the calling system if one was sent; `expira` is in seconds since 1970. */
interface Signer {
  idSessao: number;
  /** 0 if no key was sent. */
  idChave: number;
  expira: number;
}

/** A path with its query, and a signature that replaces the signer's token. */
export interface SignedPath extends Signer {
  path: string;
  mac: Buffer;
}

const SIGNED = /^(.+)[?&]assinatura=(\d{1,10})\.(\d{1,10})\.(\d{1,12})\.([\w-]{43})$/;

/** The signed path of a URL; undefined if it has no signature. */
export function signedPath(url: string): SignedPath | undefined {
  const [, path, ...parts] = SIGNED.exec(url) ?? [];
  if (path === undefined) return undefined;
  const [idSessao, idChave, expira] = parts.map(Number) as [number, number, number];
  return { path, idSessao, idChave, expira, mac: Buffer.from(parts[3]!, 'base64url') };
}

/** Signs the path for one minute. `now` is in seconds since 1970. */
export function sign(
  path: string,
  token: string,
  { idSessao, idChave }: Omit<Signer, 'expira'>,
  now: number,
): { url: string; validoAte: string } {
  const expira = now + VALID_SECONDS;
  const mac = macOf(path, { idSessao, idChave, expira }, digest(token)).toString('base64url');
  const url = `${path}${path.includes('?') ? '&' : '?'}assinatura=${idSessao}.${idChave}.${expira}.${mac}`;
  return { url, validoAte: new Date(expira * 1000).toISOString() };
}

/** Whether the path was signed with the token of this digest. */
export const isSignedBy = (signed: SignedPath, tokenHash: Buffer): boolean =>
  timingSafeEqual(signed.mac, macOf(signed.path, signed, tokenHash));

/** The text contains the purpose, so that the digest of a token can also be the key of other signatures. */
const macOf = (path: string, { idSessao, idChave, expira }: Signer, tokenHash: Buffer): Buffer =>
  createHmac('sha256', tokenHash).update(`download\n${idSessao}\n${idChave}\n${expira}\n${path}`).digest();
