import { Collection } from '@mikro-orm/core';
import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Derived } from '../computed.ts';
import { Many } from '../many.ts';
import { Registro } from '../registro.ts';
import { Armazem } from './armazem.ts';
import { Empresa } from './empresa.ts';
import { ItemNotaFiscal } from './item-nota-fiscal.ts';
import { Lote } from './lote.ts';

/** The role of an invoice in the monthly map of controlled chemicals: codes of the Federal Police. */
const operations = choices('OperacaoNota', 'What the invoice is for the Federal Police', {
  COMPRA: ['EC', 'Entry: purchase, what an entry is when absent'],
  TRANSFERENCIA_RECEBIDA: ['ET', 'Entry: transfer from another CNPJ'],
  DOACAO_RECEBIDA: ['ED', 'Entry: donation'],
  ARMAZENADO: ['EA', 'Entry: product that is stored for another'],
  INDUSTRIALIZADO: ['EP', 'Entry: product that was processed'],
  PARA_INDUSTRIALIZACAO: ['EI', 'Entry: product to be processed'],
  OUTRO_RECEBIMENTO: ['ER', 'Entry: other'],
  VENDA: ['SV', 'Exit: sale'],
  TRANSFERENCIA_FEITA: ['ST', 'Exit: transfer to another CNPJ'],
  DEVOLUCAO_DE_ARMAZENADO: ['SA', 'Exit: return of a stored product'],
  DEVOLUCAO_DE_INDUSTRIALIZADO: ['SI', 'Exit: return of a processed product'],
  DOACAO_FEITA: ['SD', 'Exit: donation'],
  REMESSA_PARA_ARMAZENAGEM: ['SR', 'Exit: to be stored'],
  REMESSA_PARA_INDUSTRIALIZACAO: ['SP', 'Exit: to be processed'],
  OUTRA_REMESSA: ['SO', 'Exit: other'],
});

/** Where the goods of an invoice are stored, for the map. */
const storages = choices('ArmazenagemNota', 'Storage of the goods, for the Federal Police', {
  OUTRO_ENDERECO: [
    'S',
    'Entry: delivered to another address than the registered one, what an entry with a warehouse has when absent',
  ],
  MESMO_ENDERECO: ['N', 'Entry: delivered to the registered address, what an entry has when absent'],
  FORNECEDOR: ['F', 'Exit: stored by the supplier, what an exit has when absent'],
  TERCEIRO: ['T', 'Exit: stored by a third party, what an exit with a warehouse has when absent'],
});

/** Who carried the goods of an invoice, for the map. */
const carriages = choices(
  'TransporteNota',
  'Who carried the goods, for the Federal Police. When absent, what the CNPJ of the carrier says: the institution, the supplier (also without a CNPJ), or a third party',
  {
    ADQUIRENTE: ['A', 'The buyer'],
    FORNECEDOR: ['F', 'The supplier'],
    TERCEIRO: ['T', 'A third party'],
  },
);

@Entity()
@Check({
  name: 'nota_fiscal_link_nf_check',
  // Browsers execute other addresses, such as `javascript:`.
  expression: `"link_nf" = '' or "link_nf" ~* '^\\s*https?:'`,
})
@ObjectType({ description: 'An invoice with which batches arrive.', simpleResolvers: true })
export class NotaFiscal extends Registro {
  @Column('text', { description: 'Number of the invoice', max: 50, sort: true })
  numeroNf!: string;

  @Link(() => Empresa, { description: 'Company that carried the goods' })
  transportadora!: Empresa;

  @Link(() => Empresa, { description: 'Company that sold the goods; of an exit, the one that gets them' })
  fornecedor!: Empresa;

  @Column('date', { description: 'Day of issue', nullable: true, sort: true })
  dataEmissao!: string | null;

  @Column('date', { description: 'Day on which the goods arrived', nullable: true, sort: true })
  dataRecebimento!: string | null;

  @Column('text', {
    description: 'Number of the administrative process (SEI)',
    max: 50,
    nullable: true,
    search: true,
    sort: true,
  })
  processoSei!: string | null;

  @Column('text', { description: 'Where the invoice is found', max: 2000, nullable: true })
  linkNf!: string | null;

  @Column('text', { description: operations.description, max: 2, oneOf: operations, nullable: true })
  operacao!: ValueOf<typeof operations> | null;

  @Column('text', { description: storages.description, max: 1, oneOf: storages, nullable: true })
  armazenagem!: ValueOf<typeof storages> | null;

  @Column('text', { description: carriages.description, max: 1, oneOf: carriages, nullable: true })
  transporte!: ValueOf<typeof carriages> | null;

  @Link(() => Armazem, {
    description:
      'Where a third party stores the goods: where those of an entry were delivered, or where those of an exit were',
    nullable: true,
  })
  armazem!: Armazem | null;

  @Many(() => ItemNotaFiscal, 'notaFiscal', 'Batches that came with it', { through: ['lote', () => Lote] })
  lotes = new Collection<ItemNotaFiscal>(this);

  @Derived(
    () => [String],
    [],
    'What the monthly map of controlled chemicals lacks of an invoice that was just written, by field; else null',
  )
  avisos?: string[] | null;
}
