import { MaxLength, Min } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { changeBatch, enterBatch } from '../../domain/batches.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
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
  @Field(() => Int, { description: 'What it is a batch of' })
  @References(() => Material)
  idMaterial!: number;

  @Field(() => Int, { description: 'Manufacturer' })
  @References(() => Empresa)
  idFabricante!: number;

  @Field(() => String, { nullable: true, description: "Manufacturer's code of the batch" })
  @MaxLength(50)
  codLote?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which it expires' })
  dataVenc?: string | null;
}

@InputType({ description: 'A batch with the quantity that arrived, and where.' })
export class LoteRecebidoInput extends LoteDeMaterialInput {
  @Field(() => Int, { description: 'How much arrived, in the unit of the material' })
  @Min(1)
  quantidade!: number;

  @Field(() => Int, { description: 'Location that answers for what arrived' })
  @References(() => Local)
  idLocal!: number;

  @Field(() => Int, { nullable: true, description: 'Location where it is stored; the same when absent' })
  @References(() => Local)
  idLocalDestino?: number | null;
}

@InputType({ description: 'An invoice with which a batch came.' })
export class NotaDoLoteInput {
  @Field(() => Int, { nullable: true, description: 'Invoice; an item without one is passed over' })
  @References(() => NotaFiscal)
  idNotaFiscal?: number | null;
}

@InputType({
  description:
    'A batch that arrives: it is entered into stock, by approval where its material is controlled.',
})
export class LoteInput extends LoteRecebidoInput {
  @Field(() => String, { nullable: true, description: 'Why it is entered' })
  @MaxLength(500)
  motivo?: string | null;

  @Field(() => [NotaDoLoteInput], { nullable: true, description: 'Invoices with which it came' })
  notasFiscais?: NotaDoLoteInput[] | null;
}

@InputType({ description: 'What may change of a batch; its stock changes by movements alone.' })
export class LoteUpdateInput extends LoteDeMaterialInput {
  @Field(() => String, { nullable: true, description: 'Why it was entered' })
  @MaxLength(500)
  motivo?: string | null;

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
  excluirLote: remove('Deletes a batch whose own entry is its only movement, with that entry'),
});
