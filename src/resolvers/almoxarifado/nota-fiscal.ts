import { Field, InputType, Int } from 'type-graphql';
import { setBatches } from '../../domain/invoices.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { IsLink } from '../../request/validation.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { LoteRecebidoInput } from './lote.ts';

@List(() => NotaFiscal, { paging: 'optional' })
export class NotasFiscaisArgs extends ListArgs {
  @Filter(() => String, 'numeroNf', { match: 'exact' }) numeroNf?: string;
  @Filter(() => String, 'processoSei') processoSei?: string;
  @Filter(() => String, 'fornecedor.nome') fornecedor?: string;
  @Filter(() => String, 'transportadora.nome') transportadora?: string;
  @Filter(() => Int, 'idTransportadora') idTransportadora?: number;
  @Filter(() => Int, 'idFornecedor') idFornecedor?: number;
  @Filter(() => DateScalar, 'dataEmissao') dataEmissao?: string;
  @Filter(() => DateScalar, 'dataRecebimento') dataRecebimento?: string;

  @OrderBy('numeroNf') orderByNumeroNf?: Ordem;
  @OrderBy('fornecedor.nome') orderByFornecedor?: Ordem;
  @OrderBy('transportadora.nome') orderByTransportadora?: Ordem;
  @OrderBy('processoSei') orderByProcessoSei?: Ordem;
  @OrderBy('dataEmissao') orderByDataEmissao?: Ordem;
  @OrderBy('dataRecebimento') orderByDataRecebimento?: Ordem;
}

@InputType({ description: 'An invoice.' })
export class NotaFiscalInput {
  @FieldOf(NotaFiscal) numeroNf!: string;
  @FieldOf(NotaFiscal) idTransportadora!: number;
  @FieldOf(NotaFiscal) idFornecedor!: number;
  @FieldOf(NotaFiscal) dataEmissao?: string | null;
  @FieldOf(NotaFiscal) dataRecebimento?: string | null;
  @FieldOf(NotaFiscal) processoSei?: string | null;
  @FieldOf(NotaFiscal) @IsLink() linkNf?: string | null;

  @Field(() => [LoteRecebidoInput], {
    nullable: true,
    description: 'Batches that came with it: new ones, by material, manufacturer and code, enter stock',
  })
  lotes?: LoteRecebidoInput[] | null;
}

export const NotaFiscalResolver = resource(NotaFiscal, 'almoxarifadoquimicos/notas-fiscais', {
  notasFiscais: list(NotasFiscaisArgs, 'Invoices with which batches arrived'),
  notaFiscal: one('One invoice; null when there is none with this id'),
  criarNotaFiscal: create(NotaFiscalInput, 'Adds an invoice and enters its batches into stock', setBatches),
  atualizarNotaFiscal: update(NotaFiscalInput, 'Changes an invoice and enters its new batches', setBatches),
  excluirNotaFiscal: remove('Deletes an invoice with which nothing was entered into stock'),
});
