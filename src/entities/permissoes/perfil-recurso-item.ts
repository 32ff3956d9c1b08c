import type { Opt } from '@mikro-orm/core';
import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Via } from '../computed.ts';
import { Registro } from '../registro.ts';
import { Controller } from './controller.ts';
import { ItemMenu } from './item-menu.ts';
import { PerfilRecurso } from './perfil-recurso.ts';

@Entity()
@Check({ name: 'perfil_recurso_item_nivel_check', expression: '"nivel" in (1, 2, 3)' })
@ObjectType({
  description: 'What a profile may do on one controller, or on every controller of its system.',
  simpleResolvers: true,
})
export class PerfilRecursoItem extends Registro {
  @Column('text', { description: 'What it gives', max: 1000 })
  descricao!: string;

  @Link(() => PerfilRecurso, { description: 'Profile and resource it belongs to' })
  perfilRecurso!: PerfilRecurso;

  @Link(() => Controller, {
    description: 'Controller it is about; none: every controller of the system',
    nullable: true,
  })
  controller!: Controller | null;

  @Link(() => ItemMenu, { description: 'Line of a menu that it shows', nullable: true })
  itemMenu!: ItemMenu | null;

  @Via(() => Int, 'perfilRecurso.idPerfil', 'Profile it belongs to')
  idPerfil?: Opt<number>;

  @Via(() => Int, 'perfilRecurso.idRecurso', 'Resource it belongs to')
  idRecurso?: Opt<number>;

  @Column('text', { description: 'Module of the calling application', max: 100, nullable: true })
  modulo!: string | null;

  @Column('integer', { description: '1 read, 2 write, 3 manage', default: 1 })
  nivel!: number;

  @Column('integer', { description: 'Its place among the others', nullable: true })
  ordem!: number | null;

  @SituacaoColumn()
  situacao!: Situacao;
}
