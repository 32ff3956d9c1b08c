import { Collection } from '@mikro-orm/core';
import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, flags, Link, type Flag } from '../column.ts';
import { Many } from '../many.ts';
import { Registro } from '../registro.ts';
import { PURPOSES, purposes } from './finalidade.ts';
import { Lotacao } from './lotacao.ts';
import { ResponsavelLaboratorio } from './responsavel-laboratorio.ts';

@Entity()
@Check({ name: 'local_finalidade_check', expression: PURPOSES })
@ObjectType({ description: 'A laboratory or store room where materials are kept.', simpleResolvers: true })
export class Local extends Registro {
  @Column('text', { description: 'Name', max: 200, search: true, sort: true })
  nome!: string;

  @Column('text', { description: 'Acronym', max: 30, nullable: true })
  sigla!: string | null;

  @Column('integer', {
    description: `What controlled materials are consumed for here, if a movement does not say: ${purposes}`,
    nullable: true,
  })
  finalidade!: number | null;

  @Link(() => Lotacao, { description: 'Unit of the institution that it belongs to', nullable: true })
  lotacao!: Lotacao | null;

  @Column('text', {
    description: 'Whether only its managers in force, or who manages movements, move stock out of it',
    max: 1,
    oneOf: flags,
    default: 'N',
  })
  restrito!: Flag;

  @Many(() => ResponsavelLaboratorio, 'local', 'Its managers in force today', {
    only: 't."data_inicio" <= current_date and (t."data_fim" is null or t."data_fim" >= current_date)',
  })
  tecnicos = new Collection<ResponsavelLaboratorio>(this);
}
