import { Field, InputType, Int } from 'type-graphql';
import { PERMISSIONS_CONTROLLER } from '../../domain/people.ts';
import { administered } from '../../domain/administration.ts';
import { dropLinksOfProfile } from '../../domain/profile-items.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { Perfil } from '../../entities/permissoes/perfil.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import type { Scope } from '../../listing/list.ts';
import { AuthorsInput } from '../authors.ts';
import type { Call } from '../../request/call.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { readFor } from '../../request/for-person.ts';

@List(() => Perfil, { paging: 'optional' })
export class PerfisArgs extends ListArgs {
  @Filter(() => String, 'nome') nome?: string;
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
  @Filter(() => Int, 'idSistema') sistema?: number;

  @Field(() => Int, { nullable: true, description: 'Only profiles that this person has' })
  idPessoa?: number | null;

  @OrderBy('nome') orderByNome?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
}

/** Whoever may read permissions may see the people of a profile. */
async function heldBy({ idPessoa }: PerfisArgs, { context }: Call): Promise<Scope> {
  if (idPessoa == null) return {};
  await readFor(context, idPessoa, PERMISSIONS_CONTROLLER);
  const em = context.services.orm.em.fork();
  const held = await em.find(Permissao, { pessoa: idPessoa, situacao: 'A' });
  return { id: held.map(permissao => permissao.perfil.id) };
}

@InputType({ description: 'A role.' })
export class PerfilInput extends AuthorsInput {
  @FieldOf(Perfil) nome!: string;
  @FieldOf(Perfil) descricao?: string | null;
  @FieldOf(Perfil, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(Perfil) idSistema!: number;
}

const edits = async ({ id }: Perfil): Promise<number[]> => [id];
const rules = administered<Perfil, object>({ edits });
const removal = administered<Perfil, object>({ prepare: dropLinksOfProfile, edits });

export const PerfilResolver = resource(Perfil, 'permissoes/perfis', {
  perfis: list(PerfisArgs, 'Roles, in every system', heldBy),
  perfil: one('One role; null when there is none with this id'),
  criarPerfil: create(PerfilInput, 'Adds a role', rules),
  atualizarPerfil: update(PerfilInput, 'Changes a role', rules),
  excluirPerfil: remove('Deletes a role that nothing belongs to and answers it as it stood', removal),
});
