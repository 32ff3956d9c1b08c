import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, Via } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { Local } from './local.ts';

@Entity()
@ObjectType({ description: 'That a person manages a laboratory for a time.', simpleResolvers: true })
export class ResponsavelLaboratorio extends Registro {
  @Link(() => Local, { description: 'Laboratory' })
  local!: Local;

  @Link(() => Pessoa, { description: 'Who manages it' })
  pessoa!: Pessoa;

  @Via(() => String, 'pessoa.nome', 'Name of who manages it')
  nome?: string;

  @Column('date', { description: 'First day' })
  dataInicio!: string;

  @Column('date', { description: 'Last day; none: until further notice', nullable: true })
  dataFim!: string | null;
}
