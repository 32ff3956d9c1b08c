import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';

/** Acronym under which this service keeps its own permissions. */
export const SERVICE = 'SII';

@Entity()
@Check({ name: 'sistema_limite_falhas_check', expression: '"limite_falhas" > 0' })
@ObjectType({
  description: 'A system that calls this service, or whose permissions it keeps.',
  simpleResolvers: true,
})
export class Sistema extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true })
  nome!: string;

  @Column('text', {
    description: 'Acronym, by which it names itself when it calls',
    max: 30,
    unique: true,
    identifies: true,
    search: true,
  })
  sigla!: string;

  @Column('text', { description: 'What it is for', max: 1000, nullable: true, search: true })
  descricao!: string | null;

  @Column('text', { description: 'Kind of system, one character', max: 1, nullable: true })
  tipo!: string | null;

  @Column('integer', { description: 'Department that answers for it', nullable: true })
  idOrgao!: number | null;

  @Column('text', { description: 'Address of its first page', max: 2000, nullable: true, search: true })
  paginaInicial!: string | null;

  @SituacaoColumn()
  situacao!: Situacao;

  /**
   * Limit of failed logins of all its users together, for a system with many users behind one address.
   * `ParametroAcessoApi` shows it.
   */
  @Property({ type: 'integer', nullable: true })
  limiteFalhas!: Opt<number | null>;
}
