import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../column.ts';
import { Sistema } from './sistema.ts';

/** A system's access key: shown once when it is issued, kept as a digest. */
@Entity()
export class ChaveApi {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Sistema, { fieldName: 'id_sistema', index: true, deleteRule: 'cascade' })
  sistema!: Sistema;

  /** SHA-256 of the key. */
  @Property({ type: 'blob', unique: true })
  hash!: Buffer;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  criadoEm!: Date;

  @Property({ ...timestamp, nullable: true })
  expiraEm!: Date | null;

  @Property({ ...timestamp, nullable: true })
  revogadaEm!: Date | null;
}
