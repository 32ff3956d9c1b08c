import type { Opt } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A legal control under which a material stands.', simpleResolvers: true })
export class TipoControle extends Registro {
  @Column('text', { description: 'Name of the control', max: 200, unique: true, search: true, sort: true })
  descricao!: string;

  @Column('text', { description: 'Authority that controls', max: 200, nullable: true })
  orgaoControlador!: string | null;

  @Column('boolean', { description: 'Whether stock movements wait for approval', default: false })
  exigeAprovacao!: Opt<boolean>;

  @Column('boolean', {
    description: 'Whether its materials stand in the monthly map of the Federal Police',
    default: false,
  })
  mapaPf!: Opt<boolean>;
}
