import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Controller } from './controller.ts';
import { Menu } from './menu.ts';

@Entity()
@ObjectType({
  description: 'A line of a menu. A profile shows it by an item of its own.',
  simpleResolvers: true,
})
export class ItemMenu extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true })
  nome!: string;

  @Link(() => Menu, { description: 'Menu in which it stands' })
  menu!: Menu;

  @Link(() => Controller, { description: 'Controller that it opens', nullable: true })
  controller!: Controller | null;

  @SituacaoColumn()
  situacao!: Situacao;
}
