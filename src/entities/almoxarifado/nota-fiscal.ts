import { Collection } from '@mikro-orm/core';
import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, Many } from '../column.ts';
import { Registro } from '../registro.ts';
import { Empresa } from './empresa.ts';
import { ItemNotaFiscal } from './item-nota-fiscal.ts';
import { Lote } from './lote.ts';

@Entity()
@Check({
  name: 'nota_fiscal_link_nf_check',
  // Browsers run other addresses, such as `javascript:`.
  expression: `"link_nf" = '' or "link_nf" ~* '^\\s*https?:'`,
})
@ObjectType({ description: 'An invoice with which batches arrive.', simpleResolvers: true })
export class NotaFiscal extends Registro {
  @Column('text', { description: 'Number of the invoice', max: 50, sort: true })
  numeroNf!: string;

  @Link(() => Empresa, { description: 'Company that carried the goods' })
  transportadora!: Empresa;

  @Link(() => Empresa, { description: 'Company that sold the goods' })
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

  @Many(() => ItemNotaFiscal, 'notaFiscal', 'Batches that came with it', { through: ['lote', () => Lote] })
  lotes = new Collection<ItemNotaFiscal>(this);
}
