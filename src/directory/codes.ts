import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { raw, sql } from '@mikro-orm/core';
import { digest } from '../access/secrets.ts';
import type { Context } from '../request/context.ts';
import { recordLock } from '../domain/records.ts';
import { writingAs } from '../request/writing.ts';
import { CodigoCvr } from '../entities/institucional/codigo-cvr.ts';
import { invalidField, type AppError } from '../errors.ts';
import { LATEST_NOW } from '../database/moments.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import type { Person } from './directory.ts';
import { directoryTexts } from './messages.ts';
import { normalised } from '../text/normalised.ts';

/** Letters and digits that are hard to confuse when people read a code aloud or copy it by hand. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code that was just created. */
export interface IssuedCode {
  codigo: string;
  /** The same code under the argument name with which clients send it. */
  cvr: string;
  /** ISO 8601. */
  expiraEm: string;
}

/** 60 random bits, such as `7QF9-M2X4-TWDB`. */
function newCode(): string {
  const letters = Array.from(randomBytes(12), byte => LETTERS[byte % LETTERS.length]!);
  return [0, 4, 8].map(at => letters.slice(at, at + 4).join('')).join('-');
}

/** The stored digest of a code. Ignores case, spaces and punctuation. */
const codeDigest = (code: string): Buffer => digest(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''));

const ISSUE = `insert into codigo_cvr (conta, codigo_hash, expira_em, criado_por, alterado_por)
values ($1, $2, now() + make_interval(hours => $3), $4, $4)
on conflict (conta) do update set codigo_hash = excluded.codigo_hash, expira_em = excluded.expira_em, usado_em = null,
  alterado_por = excluded.alterado_por, alterado_em = now()
returning expira_em as c0`;

/**
 * Creates a code with which the account with these addresses can be attached once. It replaces an earlier code. It is
 * stored under one address. An LDAP server may return them in another order next time.
 */
export async function issueCode(context: Context, addresses: readonly string[]): Promise<IssuedCode> {
  const { idPessoa } = await context.session();
  const codigo = newCode();
  const hours = context.services.config.CVR_HOURS;
  const [account, ...others] = addresses.toSorted() as [string, ...string[]];
  return writingAs({ context }, { locks: [recordLock(CodigoCvr, account)] }, async em => {
    await endCodes(em, others);
    const values = [account, codeDigest(codigo), hours, idPessoa];
    const [[expiraEm]] = (await transactionReader(em).rows(ISSUE, values)) as [[string]];
    return { codigo, cvr: codigo, expiraEm: new Date(expiraEm).toISOString() };
  });
}

/** Ends the codes of accounts that have one of these addresses. */
export async function endCodes(em: EntityManager, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const live = { conta: addresses.map(normalised), usadoEm: null };
  await em.nativeUpdate(CodigoCvr, live, { usadoEm: sql.now(), alteradoEm: sql.now() });
}

/** Ends the codes that a person has made, who may have given them to somebody. */
export async function endCodesOf(em: EntityManager, idPessoa: number): Promise<void> {
  const live = { alteradoPor: idPessoa, usadoEm: null };
  await em.nativeUpdate(CodigoCvr, live, { usadoEm: sql.now(), alteradoEm: sql.now() });
}

const MAKER = `select p.id, p.usuario from codigo_cvr v join pessoa p on p.id = v.alterado_por
where v.conta = any($1::text[]) and v.codigo_hash = $2`;

/** Who made this code of the account with these addresses; undefined when it is not the account's code. */
export async function makerOf(
  reader: Reader,
  addresses: readonly string[],
  code: string,
): Promise<Person | undefined> {
  const [row] = (await reader.rows(MAKER, [addresses, codeDigest(code)])) as [number, string][];
  return row && { id: row[0], usuario: row[1] };
}

/** The error 422 for a code that is wrong, expired or used, or whose maker may no longer make it. */
export const deadCode = (): AppError => invalidField('VALIDATION_FAILED', 'cvr', directoryTexts.deadCode);

/**
 * Uses up the code of the account with these addresses.
 * @throws VALIDATION_FAILED for `cvr` when the code is wrong, expired or used
 */
export async function redeemCode(
  em: EntityManager,
  addresses: readonly string[],
  code: string,
): Promise<void> {
  const live = {
    conta: [...addresses],
    codigoHash: codeDigest(code),
    usadoEm: null,
    expiraEm: { $gt: sql.now() },
    // When it was made.
    alteradoEm: { $lte: raw(LATEST_NOW) },
  };
  const used = await em.nativeUpdate(CodigoCvr, live, { usadoEm: sql.now(), alteradoEm: sql.now() });
  if (used === 0) throw deadCode();
}
