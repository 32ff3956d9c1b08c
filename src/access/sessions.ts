import { raw, sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LATEST_NOW } from '../database/moments.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { Sessao } from '../entities/permissoes/sessao.ts';

/** Ends every session of a person. Their tokens become invalid. Returns how many were live. */
export async function endSessions(em: EntityManager, idPessoa: number): Promise<number> {
  const open = { pessoa: idPessoa, encerradaEm: null };
  const live = await em.count(Sessao, {
    ...open,
    expiraEm: { $gt: sql.now() },
    criadoEm: { $lte: raw(LATEST_NOW) },
  });
  await em.nativeUpdate(Sessao, open, { encerradaEm: sql.now() });
  return live;
}

/** Ends every session that people opened through a system. */
export async function endSessionsThrough(em: EntityManager, idSistema: number): Promise<void> {
  await em.nativeUpdate(Sessao, { sistema: idSistema, encerradaEm: null }, { encerradaEm: sql.now() });
}

/** Ends the sessions of these users, and their logins with a directory password that are in progress. */
export async function endLogins(em: EntityManager, users: readonly string[]): Promise<void> {
  for (const pessoa of await em.find(Pessoa, { usuario: users.map(user => user.toLowerCase()) })) {
    await em.nativeUpdate(Pessoa, { id: pessoa.id }, { senhaAlteradaEm: sql.now() });
    await endSessions(em, pessoa.id);
  }
}
