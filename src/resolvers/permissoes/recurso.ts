import { InputType, Int } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { dropLinksOfResource } from '../../domain/profile-items.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { Recurso } from '../../entities/permissoes/recurso.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Recurso, { paging: 'always' })
export class RecursosArgs extends ListArgs {
  @Filter(() => Int, 'id') idRecurso?: number;
  @Filter(() => Int, 'idSistema') idSistema?: number;
  @Filter(() => String, 'nome') nome?: string;
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
  @Filter(() => String, 'sistema.sigla') siglaSistema?: string;
  @Filter(situations.graphql, 'sistema.situacao') situacaoSistema?: Situacao;
  @Filter(() => String, 'sistema.descricao') descricaoSistema?: string;

  @OrderBy('nome') orderByNome?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
}

@InputType({ description: 'A part of a system to which profiles give access.' })
export class RecursoInput {
  @FieldOf(Recurso) nome!: string;
  @FieldOf(Recurso) descricao?: string | null;
  @FieldOf(Recurso, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(Recurso) tipo?: Recurso['tipo'];
  @FieldOf(Recurso) idSistema!: number;
  @FieldOf(Recurso) ordem?: number | null;
}

const removal = administered<Recurso, object>({ prepare: dropLinksOfResource });

export const RecursoResolver = resource(Recurso, 'permissoes/recursos', {
  recursos: list(RecursosArgs, 'Parts of systems to which profiles give access'),
  recurso: one('One resource; null when there is none with this id'),
  criarRecurso: create(RecursoInput, 'Adds a resource', administered()),
  atualizarRecurso: update(RecursoInput, 'Changes a resource', administered()),
  excluirRecurso: remove('Deletes a resource and answers it as it stood', removal),
});
