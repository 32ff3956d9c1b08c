import { MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { settleCnpj, withoutPunctuation } from '../../domain/cnpj.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { TipoEmpresa } from '../../entities/almoxarifado/tipo-empresa.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Empresa, { paging: 'optional' })
export class EmpresasArgs extends ListArgs {
  @Filter(() => String, 'nome') nome?: string;
  @Filter(() => String, 'cnpj', { match: 'exact', value: withoutPunctuation }) cnpj?: string;
  @Filter(() => Int, 'idTipoEmpresa') idTipoEmpresa?: number;

  @OrderBy('nome') orderByNome?: Ordem;
  @OrderBy('cnpj') orderByCnpj?: Ordem;
  @OrderBy('tipoEmpresa.descricao') orderByTipo?: Ordem;
}

@InputType({ description: 'A company.' })
export class EmpresaInput extends AuthorsInput {
  @Field(() => String, { nullable: true, description: 'Name' })
  @MaxLength(200)
  nome?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'CNPJ, with or without punctuation; needed where its kind says so',
  })
  @MaxLength(30)
  cnpj?: string | null;

  @Field(() => Int, { description: 'Kind of company' })
  @References(() => TipoEmpresa)
  idTipoEmpresa!: number;
}

export const EmpresaResolver = resource(Empresa, 'almoxarifadoquimicos/empresas', {
  empresas: list(EmpresasArgs, 'Companies that make, sell or carry materials'),
  empresa: one('One company; null when there is none with this id'),
  criarEmpresa: create(EmpresaInput, 'Adds a company', settleCnpj),
  atualizarEmpresa: update(EmpresaInput, 'Changes a company', settleCnpj),
  excluirEmpresa: remove('Deletes a company and answers it as it stood'),
});
