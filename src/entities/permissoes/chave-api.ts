import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Sistema } from './sistema.ts';

@Entity()
@ObjectType({
  description: "A system's access key. The key itself is shown when it is issued, and never again.",
  simpleResolvers: true,
})
export class ChaveApi extends Registro {
  @Link(() => Sistema, { description: 'System that calls with it', owner: true })
  sistema!: Sistema;

  /** SHA-256 of the key. */
  @Property({ type: 'blob', unique: true })
  hash!: Buffer;

  @Column('timestamp', { description: 'When it expires', nullable: true })
  expiraEm!: Date | null;

  @Column('timestamp', { description: 'When it was revoked', nullable: true })
  revogadaEm!: Date | null;

  @Column('timestamp', {
    description: 'When it was last used, to the minute',
    nullable: true,
    unaudited: true,
  })
  ultimoUso!: Date | null;
}
