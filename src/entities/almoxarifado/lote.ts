import { Collection } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Many } from '../many.ts';
import { Registro } from '../registro.ts';
import { Empresa } from './empresa.ts';
import { ItemNotaFiscal } from './item-nota-fiscal.ts';
import { Local } from './local.ts';
import { Material } from './material.ts';

@Entity()
@ObjectType({ description: 'A batch of a material from one manufacturer.', simpleResolvers: true })
export class Lote extends Registro {
  @Link(() => Material, { description: 'What it is a batch of' })
  material!: Material;

  @Link(() => Empresa, { description: 'Manufacturer' })
  fabricante!: Empresa;

  @Column('text', { description: "Manufacturer's code of the batch", max: 50, nullable: true, sort: true })
  codLote!: string | null;

  @Column('date', { description: 'Day on which it expires', nullable: true, sort: true })
  dataVenc!: string | null;

  @Column('integer', { description: 'How much arrived, in the unit of the material', default: 0 })
  quantidade!: number;

  @Column('text', { description: 'Why it was entered', max: 500, nullable: true })
  motivo!: string | null;

  @Link(() => Local, { description: 'Location that answers for what arrived', nullable: true })
  local!: Local | null;

  @Link(() => Local, { description: 'Location where what arrived was put', nullable: true })
  localDestino!: Local | null;

  @Many(() => ItemNotaFiscal, 'lote', 'Invoices with which it arrived')
  notasFiscais = new Collection<ItemNotaFiscal>(this);
}
