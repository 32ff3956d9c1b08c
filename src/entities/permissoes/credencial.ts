import { sql } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../column.ts';
import { Pessoa } from './pessoa.ts';

/** A person's password. It is separate from the person, so that reads of people never load it. */
@Entity()
export class Credencial {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Pessoa, { fieldName: 'id_pessoa', unique: true, deleteRule: 'cascade' })
  pessoa!: Pessoa;

  /** argon2id, in PHC string form. */
  @Property({ type: 'string', length: 200 })
  senhaHash!: string;

  @Property({ ...timestamp, defaultRaw: 'now()', onUpdate: () => sql.now() })
  alteradoEm!: Date;
}
