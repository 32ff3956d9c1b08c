import { LockMode, sql } from '@mikro-orm/core';
import { digest, newSecret } from '../access/secrets.ts';
import { ChaveApi } from '../entities/permissoes/chave-api.ts';
import { ParametroAcessoApi } from '../entities/permissoes/parametro-acesso-api.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { AppError, conflict, invalidField, notFound } from '../errors.ts';
import { accountTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import { takeTurn } from './administration.ts';
import { recordLock } from './records.ts';
import { keepingWaysIn } from './systems.ts';
import { writing, writingAs } from '../request/writing.ts';

/**
 * Most live keys of one system: the old and the new one, while clients switch. Beside a lasting key (one without expiry),
 * keys that expire do not count: only another lasting key can replace the last one.
 */
const MOST_LIVE = 2;

const liveKeys = (sistema: Sistema) => ({
  sistema,
  revogadaEm: null,
  $or: [{ expiraEm: null }, { expiraEm: { $gt: sql.now() } }],
});

const lastingKeys = (sistema: Sistema) => ({ sistema, revogadaEm: null, expiraEm: null });

/** A key that was just created. */
export interface IssuedKey {
  id: number;
  chave: string;
  expiraEm: string | null;
}

/**
 * Creates a key for a system. The key is returned once, and only its digest is stored.
 * @throws VALIDATION_FAILED when it would be expired already; NOT_FOUND; CONFLICT when there are two live ones, or for a
 * lasting one two lasting ones; FORBIDDEN when the caller lost the permission while waiting for the lock
 */
export async function issueKey(call: Call, idSistema: number, expiraEm: string | null): Promise<IssuedKey> {
  const { reader } = call.context.services.listing;
  const [isPast] = await reader.rows('select true as c0 where $1::timestamptz <= now()', [expiraEm]);
  if (isPast) throw invalidField('VALIDATION_FAILED', 'expiraEm', accountTexts.mustBeInFuture);
  const { idPessoa } = await call.context.session();
  return writingAs(call, { locks: [recordLock(Sistema, idSistema)] }, async em => {
    const sistema = await em.findOne(Sistema, { id: idSistema }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sistema) throw notFound();
    await call.context.caller.authorizeAnew(call.access, em);
    const counted = expiraEm === null ? lastingKeys : liveKeys;
    if ((await em.count(ChaveApi, counted(sistema))) >= MOST_LIVE)
      throw conflict(accountTexts.tooManyKeys(MOST_LIVE));
    const chave = newSecret();
    const id = await em.insert(ChaveApi, {
      sistema,
      hash: digest(chave),
      expiraEm: expiraEm === null ? null : new Date(expiraEm),
      criadoPor: idPessoa,
      alteradoPor: idPessoa,
    });
    return { id, chave, expiraEm };
  });
}

/**
 * Expires a key now; an expired one stays as it is.
 * @throws NOT_FOUND; CONFLICT when people could log in through no system any more, now or once all other keys have expired,
 * or not through that of the caller;
 * FORBIDDEN when the caller lost the permission while waiting for the lock
 */
export async function revokeKey(call: Call, id: number): Promise<ChaveApi> {
  const { idPessoa } = await call.context.session();
  return writingAs(call, { locks: [['record', 'administration']] }, async em => {
    await takeTurn(em);
    await call.context.caller.authorizeAnew(call.access, em);
    const { sistema } = (await em.findOne(ChaveApi, { id })) ?? {};
    if (!sistema) throw notFound();
    await em.findOneOrFail(Sistema, { id: sistema.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    await keepingWaysIn(em, call, () =>
      em.nativeUpdate(
        ChaveApi,
        { id, revogadaEm: null },
        { revogadaEm: sql.now(), alteradoPor: idPessoa, alteradoEm: sql.now() },
      ),
    );
    return (await call.written(em, ChaveApi, { id }))!;
  });
}

/**
 * Sets a limit of failed logins for a system with many users behind one address; null removes it.
 * @throws NOT_FOUND; INVALID_STATE when the system has no live key; FORBIDDEN when the caller lost the permission
 * meanwhile
 */
export async function limitFailures(
  call: Call,
  id: number,
  limiteFalhas: number | null,
): Promise<ParametroAcessoApi> {
  const { idPessoa } = await call.context.session();
  return writing(call, async em => {
    const sistema = await em.findOne(Sistema, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sistema) throw notFound();
    await call.context.caller.authorizeAnew(call.access, em);
    if ((await em.count(ChaveApi, liveKeys(sistema))) === 0)
      throw new AppError('INVALID_STATE', { detail: accountTexts.noKey });
    em.assign(sistema, { limiteFalhas, alteradoPor: idPessoa, alteradoEm: sql.now() } as never);
    await em.flush();
    return (await call.written(em, ParametroAcessoApi, { id }))!;
  });
}
