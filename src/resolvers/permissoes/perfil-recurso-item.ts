import { IsIn } from 'class-validator';
import { InputType } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { findProfileResource, profileOfItem } from '../../domain/profile-items.ts';
import type { Situacao } from '../../entities/column.ts';
import { PerfilRecursoItem } from '../../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../../entities/permissoes/perfil-recurso.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { Either } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => PerfilRecursoItem, { paging: 'optional' })
export class PerfisRecursoItemArgs extends ListArgs {}

@Either<PerfilRecursoItemInput>(['idPerfilRecurso'], ['idPerfil', 'idRecurso'])
@InputType({
  description: 'What a profile may do. It belongs to a profile and a resource, or to the link of both.',
})
export class PerfilRecursoItemInput extends AuthorsInput {
  @FieldOf(PerfilRecursoItem) descricao!: string;
  @FieldOf(PerfilRecursoItem, { nullable: true }) situacao?: Situacao | null;

  @FieldOf(PerfilRecurso, { nullable: true, description: 'Profile, where `idPerfilRecurso` is absent' })
  idPerfil?: number | null;

  @FieldOf(PerfilRecurso, { nullable: true, description: 'Resource, where `idPerfilRecurso` is absent' })
  idRecurso?: number | null;

  @FieldOf(PerfilRecursoItem, { nullable: true }) idPerfilRecurso?: number | null;
  @FieldOf(PerfilRecursoItem) idItemMenu?: number | null;
  @FieldOf(PerfilRecursoItem) idController?: number | null;
  @FieldOf(PerfilRecursoItem) modulo?: string | null;

  @FieldOf(PerfilRecursoItem, { nullable: true, description: '1 read (when absent), 2 write, 3 manage' })
  @IsIn([1, 2, 3])
  nivel?: number | null;

  @FieldOf(PerfilRecursoItem) ordem?: number | null;
}

const rules = administered<PerfilRecursoItem, object>({
  prepare: findProfileResource,
  edits: profileOfItem,
});
const removal = administered<PerfilRecursoItem, object>({ edits: profileOfItem });

export const PerfilRecursoItemResolver = resource(PerfilRecursoItem, 'permissoes/perfis-recrusos-itens', {
  perfisRecursoItem: list(PerfisRecursoItemArgs, 'What profiles may do on which controllers'),
  perfilRecursoItem: one('What a profile may do on one controller; null when there is none with this id'),
  criarPerfilRecursoItem: create(PerfilRecursoItemInput, 'Lets a profile do something', rules),
  atualizarPerfilRecursoItem: update(PerfilRecursoItemInput, 'Changes what a profile may do', rules),
  excluirPerfilRecursoItem: remove('Deletes what a profile may do and answers it as it stood', removal),
});
