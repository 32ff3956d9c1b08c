import { IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { setBatches } from '../../domain/invoices.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
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
  @Field(() => String, { description: 'Number of the invoice' })
  @IsNotEmpty()
  @MaxLength(50)
  numeroNf!: string;

  @Field(() => Int, { description: 'Company that carried the goods' })
  @References(() => Empresa)
  idTransportadora!: number;

  @Field(() => Int, { description: 'Company that sold the goods' })
  @References(() => Empresa)
  idFornecedor!: number;

  @Field(() => DateScalar, { nullable: true, description: 'Day of issue' })
  dataEmissao?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which the goods arrived' })
  dataRecebimento?: string | null;

  @Field(() => String, { nullable: true, description: 'Number of the administrative process (SEI)' })
  @MaxLength(50)
  processoSei?: string | null;

  @Field(() => String, { nullable: true, description: 'Where the invoice is found' })
  @MaxLength(2000)
  linkNf?: string | null;

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
