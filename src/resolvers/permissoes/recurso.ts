import { IsIn, IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { dropLinksOfResource } from '../../domain/profile-items.ts';
import { Recurso, resourceKinds } from '../../entities/permissoes/recurso.ts';
import { Sistema } from '../../entities/permissoes/sistema.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { SituacaoField, SituacaoFiltro, type Situacao } from './situacao.ts';

@List(() => Recurso, { paging: 'always' })
export class RecursosArgs extends ListArgs {
  @Filter(() => Int, 'id') idRecurso?: number;
  @Filter(() => Int, 'idSistema') idSistema?: number;
  @Filter(() => String, 'nome') nome?: string;
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(() => SituacaoFiltro, 'situacao') situacao?: SituacaoFiltro;
  @Filter(() => String, 'sistema.sigla') siglaSistema?: string;
  @Filter(() => SituacaoFiltro, 'sistema.situacao') situacaoSistema?: SituacaoFiltro;
  @Filter(() => String, 'sistema.descricao') descricaoSistema?: string;

  @OrderBy('nome') orderByNome?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
}

@InputType({ description: 'A part of a system to which profiles give access.' })
export class RecursoInput {
  @Field(() => String, { description: 'Name' })
  @IsNotEmpty()
  @MaxLength(200)
  nome!: string;

  @Field(() => String, { nullable: true, description: 'What it offers' })
  @MaxLength(1000)
  descricao?: string | null;

  @SituacaoField() situacao?: Situacao | null;

  @Field(() => String, { nullable: true, description: '`G` or `U`' })
  @IsIn(resourceKinds)
  tipo?: Recurso['tipo'];

  @Field(() => Int, { description: 'System it is part of' })
  @References(() => Sistema)
  idSistema!: number;

  @Field(() => Int, { nullable: true, description: 'Its place among the others' })
  ordem?: number | null;
}

const removal = administered<Recurso, object>({ prepare: dropLinksOfResource });

export const RecursoResolver = resource(Recurso, 'permissoes/recursos', {
  recursos: list(RecursosArgs, 'Parts of systems to which profiles give access'),
  recurso: one('One resource; null when there is none with this id'),
  criarRecurso: create(RecursoInput, 'Adds a resource', administered()),
  atualizarRecurso: update(RecursoInput, 'Changes a resource', administered()),
  excluirRecurso: remove('Deletes a resource and answers it as it stood', removal),
});
