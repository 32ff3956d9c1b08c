import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Lote } from './lote.ts';
import { NotaFiscal } from './nota-fiscal.ts';

@Entity()
@Unique({ properties: ['notaFiscal', 'lote'] })
@ObjectType({ description: 'That a batch came with an invoice.', simpleResolvers: true })
export class ItemNotaFiscal extends Registro {
  @Link(() => NotaFiscal, { description: 'Invoice', owner: true })
  notaFiscal!: NotaFiscal;

  @Link(() => Lote, { description: 'Batch', owner: true })
  lote!: Lote;
}
