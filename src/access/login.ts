import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { Credencial } from '../entities/permissoes/credencial.ts';
import { Permissao } from '../entities/permissoes/permissao.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { Sessao } from '../entities/permissoes/sessao.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { verifyPassword } from './passwords.ts';
import { digest, newSecret } from './secrets.ts';

export interface Credentials {
  username: string;
  password: string;
  /** Live token of the same person, whose session this login replaces. */
  token?: string | null;
}

/** A user name as it is stored. */
export const userName = (text: string): string => text.trim().toLowerCase();

/**
 * Opens a session. Unknown user, wrong password, inactive person and no access all do the same work and fail alike.
 * @throws UNAUTHENTICATED, RATE_LIMITED
 */
export async function login(context: Context, credentials: Credentials) {
  const idSistema = await context.system();
  const user = userName(credentials.username);
  await context.services.throttle.attempt(user, context.address);
  const em = context.services.orm.em.fork();
  const pessoa = await allowedPerson(em, user, credentials.password);
  if (!pessoa) throw new AppError('UNAUTHENTICATED', { detail: messages.loginFailed });
  await context.services.throttle.succeeded(user, context.address);
  return em.transactional(em => openSession(em, context, pessoa, idSistema, credentials.token));
}

async function allowedPerson(em: EntityManager, user: string, password: string): Promise<Pessoa | null> {
  const credencial = await em.findOne(Credencial, { pessoa: { usuario: user } }, { populate: ['pessoa'] });
  const access = await em.findOne(AcessoAmbiente, { pessoa: { usuario: user }, situacao: 'A' });
  const matches = await verifyPassword(credencial?.senhaHash, password);
  return matches && access && credencial?.pessoa.situacao === 'A' ? credencial.pessoa : null;
}

async function openSession(
  em: EntityManager,
  context: Context,
  pessoa: Pessoa,
  idSistema: number,
  replaced?: string | null,
) {
  const token = newSecret();
  const now = new Date();
  if (replaced)
    await em.nativeUpdate(
      Sessao,
      { tokenHash: digest(replaced), pessoa, encerradaEm: null },
      { encerradaEm: now },
    );
  const sistema = await em.findOneOrFail(Sistema, idSistema);
  const expiraEm = new Date(now.getTime() + context.services.config.TOKEN_HOURS * 3_600_000);
  em.create(Sessao, {
    tokenHash: digest(token),
    pessoa,
    sistema,
    versaoAplicacao: context.header('appversion')?.slice(0, 50) ?? null,
    endereco: context.address,
    expiraEm,
    encerradaEm: null,
    criadoPor: pessoa.id,
    alteradoPor: pessoa.id,
  });
  const held = await em.find(
    Permissao,
    { pessoa, situacao: 'A', perfil: { situacao: 'A', sistema: { situacao: 'A' } } },
    { populate: ['perfil'], orderBy: { perfil: { nome: 'asc' } } },
  );
  return { token, expiraEm, pessoa, sistema, perfis: held.map(permissao => permissao.perfil) };
}
