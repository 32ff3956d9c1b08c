import { IsIn, IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { findProfileResource, linkErrors, profileOfItem } from '../../domain/profile-items.ts';
import { Controller } from '../../entities/permissoes/controller.ts';
import { ItemMenu } from '../../entities/permissoes/item-menu.ts';
import { PerfilRecursoItem } from '../../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../../entities/permissoes/perfil.ts';
import { Recurso } from '../../entities/permissoes/recurso.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { References, Rule } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { SituacaoField, type Situacao } from './situacao.ts';

@List(() => PerfilRecursoItem, { paging: 'never' })
export class PerfisRecursoItemArgs extends ListArgs {}

@Rule(linkErrors)
@InputType({
  description: 'What a profile may do. It belongs to a profile and a resource, or to the link of both.',
})
export class PerfilRecursoItemInput extends AuthorsInput {
  @Field(() => String, { description: 'What it gives' })
  @IsNotEmpty()
  @MaxLength(1000)
  descricao!: string;

  @SituacaoField() situacao?: Situacao | null;

  @Field(() => Int, { nullable: true, description: 'Profile, where `idPerfilRecurso` is absent' })
  @References(() => Perfil)
  idPerfil?: number | null;

  @Field(() => Int, { nullable: true, description: 'Resource, where `idPerfilRecurso` is absent' })
  @References(() => Recurso)
  idRecurso?: number | null;

  @Field(() => Int, { nullable: true, description: 'Link of a profile to a resource' })
  @References(() => PerfilRecurso)
  idPerfilRecurso?: number | null;

  @Field(() => Int, { nullable: true, description: 'Line of a menu that it shows' })
  @References(() => ItemMenu)
  idItemMenu?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Controller it is about; none: every controller of the system',
  })
  @References(() => Controller)
  idController?: number | null;

  @Field(() => String, { nullable: true, description: 'Module of the calling application' })
  @MaxLength(100)
  modulo?: string | null;

  @Field(() => Int, { nullable: true, description: '1 read (when absent), 2 write, 3 manage' })
  @IsIn([1, 2, 3])
  nivel?: number | null;

  @Field(() => Int, { nullable: true, description: 'Its place among the others' })
  ordem?: number | null;
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
