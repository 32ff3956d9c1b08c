import { Entity, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Collection, type Opt } from '@mikro-orm/core';
import { Registro } from '../registro.ts';
import { ResponsavelConta } from './responsavel-conta.ts';

/** A managerial account, if the directory is in the database: an office's address, which people hold. */
@Entity()
export class ContaGerencial extends Registro {
  /** In lower case. */
  @Property({ type: 'string', length: 254, unique: true })
  email!: string;

  @Property({ type: 'string', length: 200 })
  nome!: string;

  @Property({ type: 'string', length: 500, nullable: true })
  descricao!: string | null;

  @Property({ type: 'boolean', default: false })
  suspensa!: Opt<boolean>;

  /** argon2id, in PHC string form; null while the account has no password. */
  @Property({ type: 'string', length: 200, nullable: true })
  senhaHash!: string | null;

  @OneToMany({ entity: () => ResponsavelConta, mappedBy: 'conta', orphanRemoval: true })
  responsaveis = new Collection<ResponsavelConta>(this);
}
