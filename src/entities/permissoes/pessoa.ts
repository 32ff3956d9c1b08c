import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Searched, SituacaoColumn, timestamp, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@Check({ name: 'pessoa_email_lower', expression: '"email" = lower("email")' })
@ObjectType({ description: 'Somebody who may use the service.', simpleResolvers: true })
export class Pessoa extends Registro {
  /** A trigger writes it, so that lists, filters and orderings of people use the right name. */
  @Column('text', {
    description: 'Name by which the person is called: the social name, or the civil name if there is none',
    max: 200,
    search: true,
    sort: true,
  })
  nome!: string;

  /**
   * The name in the civil register. Only `PessoaCadastro` shows it, to callers with permission to read there. A write
   * of `nome` alone also sets it.
   */
  @Searched()
  @Property({ type: 'string', length: 200, onCreate: (person: Pessoa) => person.nome })
  nomeCivil!: Opt<string>;

  @Column('text', {
    description: 'Social name, where the person has one',
    max: 200,
    nullable: true,
    search: true,
  })
  nomeSocial!: string | null;

  @Column('text', { description: 'E-mail address, in lower case', max: 254, unique: true })
  email!: string;

  @Column('text', { description: 'User name for the login, in lower case', max: 100, unique: true })
  usuario!: string;

  @SituacaoColumn()
  situacao!: Situacao;

  /** Digits only. Only the directory shows it, to callers with permission to read there. */
  @Property({ type: 'string', length: 11, nullable: true, unique: true })
  cpf!: Opt<string | null>;

  /** When the LDAP server last got a new password or a suspension. A login that began before fails. */
  @Property({ ...timestamp, nullable: true })
  senhaAlteradaEm!: Opt<Date | null>;
}
