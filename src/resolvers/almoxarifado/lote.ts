import { Min } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { removeBatch } from '../../domain/batch-removal.ts';
import { changeBatch, enterBatch } from '../../domain/batches.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { ItemNotaFiscal } from '../../entities/almoxarifado/item-nota-fiscal.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Lote, { paging: 'optional' })
export class LotesArgs extends ListArgs {
  @Filter(() => String, 'codLote', { match: 'exact' }) codLote?: string;
  @Filter(() => DateScalar, 'dataVenc') dataVenc?: string;
  @Filter(() => String, 'fabricante.nome') fabricante?: string;
  @Filter(() => Int, 'idFabricante', { title: 'Fabricante', names: [() => Empresa, 'nome'] })
  idFabricante?: number;
  @Filter(() => String, 'material.titulo') titulo?: string;
  @Filter(() => String, 'material.descricao') descricao?: string;

  @OrderBy('codLote') orderByCodLote?: Ordem;
  @OrderBy('material.titulo') orderByMaterial?: Ordem;
  @OrderBy('fabricante.nome') orderByFabricante?: Ordem;
  @OrderBy('dataVenc') orderByDataVenc?: Ordem;
}

@InputType({ description: 'What a batch is.' })
export class LoteDeMaterialInput {
  @FieldOf(Lote) idMaterial!: number;
  @FieldOf(Lote) idFabricante!: number;
  @FieldOf(Lote) codLote?: string | null;
  @FieldOf(Lote) dataVenc?: string | null;
}

@InputType({ description: 'An invoice with which a batch came.' })
export class NotaDoLoteInput {
  @FieldOf(ItemNotaFiscal, { nullable: true, description: 'Invoice; an item without one is skipped' })
  idNotaFiscal?: number | null;
}

@InputType({
  description:
    'A batch that arrives: it is entered into stock, by approval where its material is controlled.',
})
export class LoteInput extends LoteDeMaterialInput {
  @FieldOf(Lote) @Min(1) quantidade!: number;
  @FieldOf(Lote, { nullable: false }) idLocal!: number;

  @FieldOf(Lote, { description: 'Location where it is stored; the same when absent' })
  idLocalDestino?: number | null;

  @FieldOf(Lote) motivo?: string | null;

  @Field(() => [NotaDoLoteInput], { nullable: true, description: 'Invoices with which it came' })
  notasFiscais?: NotaDoLoteInput[] | null;
}

@InputType({ description: 'What may change of a batch; its stock changes by movements alone.' })
export class LoteUpdateInput extends LoteDeMaterialInput {
  @FieldOf(Lote) motivo?: string | null;

  @Field(() => [NotaDoLoteInput], {
    nullable: true,
    description: 'Invoices with which it came, which replace those it had',
  })
  notasFiscais?: NotaDoLoteInput[] | null;
}

export const LoteResolver = resource(Lote, 'almoxarifadoquimicos/lotes', {
  lotes: list(LotesArgs, 'Batches of materials'),
  lote: one('One batch; null when there is none with this id'),
  criarLote: create(LoteInput, 'Adds a batch and enters what arrived into stock', enterBatch),
  atualizarLote: update(LoteUpdateInput, 'Changes a batch', changeBatch),
  excluirLote: remove(
    'Deletes a batch whose own entry is its only movement, with that entry, unless it was rejected',
    removeBatch,
  ),
});
