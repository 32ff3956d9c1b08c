import type { EntityManager } from '@mikro-orm/postgresql';
import { Permissao } from '../entities/permissoes/permissao.ts';
import type { Perfil } from '../entities/permissoes/perfil.ts';
import type { Pessoa } from '../entities/permissoes/pessoa.ts';

/** The profiles that count for a person, by name, each with its system. */
export async function activeProfiles(em: EntityManager, pessoa: Pessoa): Promise<Perfil[]> {
  const held = await em.find(
    Permissao,
    { pessoa, situacao: 'A', perfil: { situacao: 'A', sistema: { situacao: 'A' } } },
    { populate: ['perfil.sistema'], orderBy: { perfil: { nome: 'asc' } } },
  );
  return held.map(permissao => permissao.perfil);
}
