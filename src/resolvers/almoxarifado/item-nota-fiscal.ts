import { InputType } from 'type-graphql';
import { underBatchAndInvoice } from '../../domain/invoice-links.ts';
import { ItemNotaFiscal } from '../../entities/almoxarifado/item-nota-fiscal.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => ItemNotaFiscal, { paging: 'optional', plural: 'itens' })
export class ItensNotaFiscalArgs extends ListArgs {}

@InputType({ description: 'That a batch came with an invoice. It changes no stock.' })
export class ItemNotaFiscalInput {
  @FieldOf(ItemNotaFiscal) idNotaFiscal!: number;
  @FieldOf(ItemNotaFiscal) idLote!: number;
}

export const ItemNotaFiscalResolver = resource(ItemNotaFiscal, 'almoxarifadoquimicos/item-nota-fiscal', {
  itensNotaFiscal: list(ItensNotaFiscalArgs, 'Which batches came with which invoices'),
  itemNotaFiscal: one('One link of a batch to an invoice; null when there is none with these keys', {
    id: { description: 'Identifier of the link' },
    idNotaFiscal: { description: 'Its invoice; whichever when absent', nullable: true },
  }),
  criarItemNotaFiscal: create(ItemNotaFiscalInput, 'Links a batch to an invoice', underBatchAndInvoice),
  atualizarItemNotaFiscal: update(
    ItemNotaFiscalInput,
    'Changes the link of a batch to an invoice',
    underBatchAndInvoice,
  ),
  excluirItemNotaFiscal: remove('Deletes the link of a batch to an invoice', underBatchAndInvoice),
});
