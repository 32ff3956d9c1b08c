import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Pessoa } from './pessoa.ts';
import { Sistema } from './sistema.ts';

@Entity()
@ObjectType({
  description: 'A login that holds until it expires or is ended. Its token is never shown again.',
  simpleResolvers: true,
})
export class Sessao extends Registro {
  /** SHA-256 of the token. */
  @Property({ type: 'blob', unique: true })
  tokenHash!: Buffer;

  @Link(() => Pessoa, { description: 'Person who logged in' })
  pessoa!: Pessoa;

  @Link(() => Sistema, { description: 'System through which the person logged in' })
  sistema!: Sistema;

  @Column('text', { description: 'Version of the calling application', max: 50, nullable: true })
  versaoAplicacao!: string | null;

  @Column('text', { description: 'Network address of the login', max: 45, nullable: true })
  endereco!: string | null;

  @Column('timestamp', { description: 'When it expires' })
  expiraEm!: Date;

  @Column('timestamp', { description: 'When it was ended before its time', nullable: true })
  encerradaEm!: Date | null;
}
