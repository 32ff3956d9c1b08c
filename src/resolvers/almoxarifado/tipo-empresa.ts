import { InputType } from 'type-graphql';
import { TipoEmpresa } from '../../entities/almoxarifado/tipo-empresa.ts';
import type { Flag } from '../../entities/column.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => TipoEmpresa, { paging: 'optional' })
export class TiposEmpresaArgs extends ListArgs {}

@InputType({ description: 'A kind of company.' })
export class TipoEmpresaInput {
  @FieldOf(TipoEmpresa) descricao?: string | null;

  @FieldOf(TipoEmpresa, { nullable: true }) obrigaCnpj?: Flag | null;
}

export const TipoEmpresaResolver = resource(TipoEmpresa, 'almoxarifadoquimicos/tipos-empresas', {
  tiposEmpresa: list(TiposEmpresaArgs, 'Kinds of company'),
  tipoEmpresa: one('One kind of company; null when there is none with this id'),
  criarTipoEmpresa: create(TipoEmpresaInput, 'Adds a kind of company'),
  atualizarTipoEmpresa: update(TipoEmpresaInput, 'Changes a kind of company'),
  excluirTipoEmpresa: remove('Deletes a kind of company and answers it as it stood'),
});
