import { LockMode, sql } from '@mikro-orm/core';
import { digest, newSecret } from '../access/secrets.ts';
import { ChaveApi } from '../entities/permissoes/chave-api.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Call } from '../resolvers/call.ts';
import { writing } from './writing.ts';

/** Keys of one system that may live at a time: the old one and the new one, while clients change over. */
const MOST_LIVE = 2;

/** A key that was just made. */
export interface IssuedKey {
  id: number;
  chave: string;
  expiraEm: string | null;
}

/**
 * Makes a new key for a system. It is answered here and kept as a digest.
 * @throws VALIDATION_FAILED when it would be born dead, NOT_FOUND, CONFLICT beside two live ones; FORBIDDEN when the
 * right to it was taken away while it waited
 */
export async function issueKey(call: Call, idSistema: number, expiraEm: string | null): Promise<IssuedKey> {
  const expiry = expiraEm === null ? null : new Date(expiraEm);
  if (expiry && expiry.getTime() <= Date.now())
    throw invalid('VALIDATION_FAILED', [{ field: 'expiraEm', message: fieldMessages.past }]);
  const { idPessoa } = await call.context.session();
  return writing(call.context, async em => {
    const sistema = await em.findOne(Sistema, { id: idSistema }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sistema) throw notFound();
    await call.context.authorizeAnew(call.access, em);
    const live = { sistema, revogadaEm: null, $or: [{ expiraEm: null }, { expiraEm: { $gt: sql.now() } }] };
    if ((await em.count(ChaveApi, live)) >= MOST_LIVE) throw conflict(messages.tooManyKeys(MOST_LIVE));
    const chave = newSecret();
    const id = await em.insert(ChaveApi, {
      sistema,
      hash: digest(chave),
      expiraEm: expiry,
      criadoPor: idPessoa,
      alteradoPor: idPessoa,
    });
    return { id, chave, expiraEm };
  });
}

/** Makes a key dead from now on; one that is dead already stays so. @throws NOT_FOUND */
export async function revokeKey(call: Call, id: number): Promise<ChaveApi> {
  const { idPessoa } = await call.context.session();
  return writing(call.context, async em => {
    await em.nativeUpdate(
      ChaveApi,
      { id, revogadaEm: null },
      { revogadaEm: sql.now(), alteradoPor: idPessoa, alteradoEm: sql.now() },
    );
    const key = await call.written(em, ChaveApi, { id });
    if (!key) throw notFound();
    return key;
  });
}
