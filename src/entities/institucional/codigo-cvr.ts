import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../column.ts';
import { Registro } from '../registro.ts';

/** The one-time code for claiming a managerial account. A new code replaces the old one. */
@Entity()
export class CodigoCvr extends Registro {
  /** Address of the account, in any directory. */
  @Property({ type: 'string', length: 254, unique: true })
  conta!: string;

  /** SHA-256 of the code. */
  @Property({ type: 'blob' })
  codigoHash!: Buffer;

  @Property({ ...timestamp })
  expiraEm!: Date;

  @Property({ ...timestamp, nullable: true })
  usadoEm!: Date | null;
}
