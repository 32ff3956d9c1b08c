import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Sistema } from './sistema.ts';

@Entity()
@ObjectType({ description: 'A menu that a system shows at its side.', simpleResolvers: true })
export class Menu extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true })
  nome!: string;

  @Column('text', { description: 'What it leads to', max: 1000, nullable: true })
  descricao!: string | null;

  @Link(() => Sistema, { description: 'System that shows it' })
  sistema!: Sistema;

  @SituacaoColumn()
  situacao!: Situacao;
}
