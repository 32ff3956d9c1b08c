import { Max, Min } from 'class-validator';
import { InputType, Int } from 'type-graphql';
import { settleCep } from '../../domain/cep.ts';
import { Armazem } from '../../entities/almoxarifado/armazem.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Armazem, { paging: 'optional', plural: 'armazens' })
export class ArmazensArgs extends ListArgs {
  @Filter(() => Int, 'idEmpresa') idEmpresa?: number;
  @Filter(() => String, 'empresa.nome') empresa?: string;

  @OrderBy('empresa.nome') orderByEmpresa?: Ordem;
  @OrderBy('endereco') orderByEndereco?: Ordem;
}

@InputType({ description: 'Where a company stores goods of others.' })
export class ArmazemInput {
  @FieldOf(Armazem) idEmpresa!: number;
  @FieldOf(Armazem) endereco!: string;
  @FieldOf(Armazem) numero!: string;
  @FieldOf(Armazem) complemento?: string | null;
  @FieldOf(Armazem) bairro!: string;

  @FieldOf(Armazem, { max: 10, description: 'Postal code (CEP), with or without punctuation' })
  cep!: string;

  @FieldOf(Armazem) uf!: Armazem['uf'];
  @FieldOf(Armazem) @Min(1_000_000) @Max(9_999_999) codigoMunicipio!: number;
}

/** The permissions on companies also apply to their addresses. */
export const ArmazemResolver = resource(Armazem, 'almoxarifadoquimicos/empresas', {
  armazens: list(ArmazensArgs, 'Where companies store goods of others'),
  armazem: one('One of them; null when there is none with this id'),
  criarArmazem: create(ArmazemInput, 'Says where a company stores goods of others', settleCep),
  atualizarArmazem: update(ArmazemInput, 'Changes where a company stores goods of others', settleCep),
  excluirArmazem: remove('Says that a company stores goods of others no more'),
});
