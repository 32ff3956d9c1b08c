import { Min } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { INVOICE, warning } from '../../domain/control-warnings.ts';
import { quantityErrors } from '../../domain/invoice-items.ts';
import { changeInvoice, createItems, removeInvoice } from '../../domain/invoices.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Either, IsLink, Rule } from '../../request/validation.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { LoteDeMaterialInput } from './lote.ts';

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

@Either<LoteRecebidoInput>(['id'], ['idLocal'])
@Rule((item: LoteRecebidoInput) => (item.id == null ? quantityErrors(item) : []))
@InputType({
  description:
    'An item of an invoice: a batch with the quantity that arrived, and where. With `id` it is that batch.',
})
export class LoteRecebidoInput extends LoteDeMaterialInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'The batch, if it came with this invoice. Without `id` it is the batch of the same material, manufacturer and code, or a new one. A new invoice has none',
  })
  id?: number | null;

  @FieldOf(Lote, {
    description:
      'How much arrived, in the unit of the material, at least 1. Another quantity makes the movement of the difference',
  })
  @Min(0)
  quantidade!: number;

  @FieldOf(Lote, { description: 'Location that answers for what arrived. A new batch needs it' })
  idLocal?: number | null;

  @FieldOf(Lote, { description: 'Location where it is stored; the same when absent' })
  idLocalDestino?: number | null;
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
  @FieldOf(NotaFiscal) operacao?: NotaFiscal['operacao'];
  @FieldOf(NotaFiscal) armazenagem?: NotaFiscal['armazenagem'];
  @FieldOf(NotaFiscal) transporte?: NotaFiscal['transporte'];
  @FieldOf(NotaFiscal) idArmazem?: number | null;

  @Field(() => [LoteRecebidoInput], {
    nullable: true,
    description:
      'Batches that came with it, its items. New ones enter stock; those that are left out keep their stock',
  })
  lotes?: LoteRecebidoInput[] | null;
}

export const NotaFiscalResolver = resource(NotaFiscal, 'almoxarifadoquimicos/notas-fiscais', {
  notasFiscais: list(NotasFiscaisArgs, 'Invoices with which batches arrived'),
  notaFiscal: one('One invoice; null when there is none with this id'),
  criarNotaFiscal: create(
    NotaFiscalInput,
    'Adds an invoice and enters its batches into stock',
    warning(INVOICE, createItems),
  ),
  atualizarNotaFiscal: update(
    NotaFiscalInput,
    'Changes an invoice and its items, and moves the stock that makes the difference',
    warning(INVOICE, changeInvoice),
  ),
  excluirNotaFiscal: remove('Deletes an invoice with which nothing was entered into stock', removeInvoice),
});
