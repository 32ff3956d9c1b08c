import { InputType, Int } from 'type-graphql';
import { COMPANY, warning } from '../../domain/control-warnings.ts';
import { settleCnpj, withoutPunctuation } from '../../domain/cnpj.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
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
  @FieldOf(Empresa) nome?: string | null;

  @FieldOf(Empresa, {
    max: 30,
    description: 'CNPJ, with or without punctuation; needed where its kind says so',
  })
  cnpj?: string | null;

  @FieldOf(Empresa) idTipoEmpresa!: number;
}

export const EmpresaResolver = resource(Empresa, 'almoxarifadoquimicos/empresas', {
  empresas: list(EmpresasArgs, 'Companies that make, sell or carry materials'),
  empresa: one('One company; null when there is none with this id'),
  criarEmpresa: create(EmpresaInput, 'Adds a company', settleCnpj),
  atualizarEmpresa: update(EmpresaInput, 'Changes a company', warning(COMPANY, settleCnpj)),
  excluirEmpresa: remove('Deletes a company and answers it as it stood'),
});
