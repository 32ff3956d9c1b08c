import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Via } from '../computed.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { Local } from './local.ts';

/**
 * One person has at most one current term at a laboratory. Keys are converted to ranges, so that no extension is
 * needed.
 */
const ONE_TERM_AT_A_TIME = `EXCLUDE USING gist (int4range(id_local, id_local, '[]'::text) WITH &&, int4range(id_pessoa, id_pessoa, '[]'::text) WITH &&, daterange(data_inicio, data_fim, '[]'::text) WITH &&)`;

@Entity()
@Check({ name: 'responsavel_laboratorio_data_fim_check', expression: '"data_fim" >= "data_inicio"' })
@Check({ name: 'responsavel_laboratorio_termo_excl', expression: ONE_TERM_AT_A_TIME })
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
