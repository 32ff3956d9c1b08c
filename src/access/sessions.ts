import { sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Sessao } from '../entities/permissoes/sessao.ts';

/** Ends every session of a person: their tokens are dead for good. */
export async function endSessions(em: EntityManager, idPessoa: number): Promise<void> {
  await em.nativeUpdate(Sessao, { pessoa: idPessoa, encerradaEm: null }, { encerradaEm: sql.now() });
}
