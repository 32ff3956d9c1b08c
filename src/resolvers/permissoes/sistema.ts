import { InputType, Int } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { changeSystem } from '../../domain/systems.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { Sistema } from '../../entities/permissoes/sistema.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Sistema, { paging: 'always' })
export class SistemasArgs extends ListArgs {
  @Filter(() => Int, 'id') idSistema?: number;
  @Filter(() => Int, 'idOrgao') idOrgao?: number;
  @Filter(() => String, 'sigla') sigla?: string;
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(() => String, 'paginaInicial') paginaInicial?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;

  @OrderBy('situacao') orderBySituacao?: Ordem;
}

@InputType({ description: 'A system that calls this service, or whose permissions it keeps.' })
export class SistemaInput extends AuthorsInput {
  @FieldOf(Sistema) nome!: string;
  @FieldOf(Sistema) sigla!: string;
  @FieldOf(Sistema) descricao?: string | null;
  @FieldOf(Sistema, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(Sistema) tipo?: string | null;
  @FieldOf(Sistema) idOrgao?: number | null;
}

export const SistemaResolver = resource(Sistema, 'permissoes/sistemas', {
  sistemas: list(SistemasArgs, 'Systems that call this service, or whose permissions it keeps'),
  sistema: one('One system; null when there is none with this id'),
  criarSistema: create(SistemaInput, 'Adds a system', administered()),
  atualizarSistema: update(SistemaInput, 'Changes a system', changeSystem),
  excluirSistema: remove(
    'Deletes a system that nothing belongs to and answers it as it stood',
    administered(),
  ),
});
