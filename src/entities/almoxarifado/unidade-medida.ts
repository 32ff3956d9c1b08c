import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A unit in which materials are counted.', simpleResolvers: true })
export class UnidadeMedida extends Registro {
  @Column('text', { description: 'Name, such as `litro`', max: 100, sort: true })
  descricao!: string;

  @Column('text', { description: 'Symbol, such as `L`', max: 20, unique: true })
  sigla!: string;
}
