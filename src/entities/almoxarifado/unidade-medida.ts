import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { Extensions, ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column } from '../column.ts';
import { Derived } from '../computed.ts';
import { Registro } from '../registro.ts';

/** The only units of the Federal Police's maps. */
const controlUnits = choices('UnidadeControle', 'Unit in which controlled chemicals are reported', {
  KG: ['K', 'Kilograms'],
  L: ['L', 'Litres'],
});

@Entity()
@Check({ name: 'unidade_medida_fator_controle_check', expression: '"fator_controle"::numeric > 0' })
@ObjectType({ description: 'A unit in which materials are counted.', simpleResolvers: true })
export class UnidadeMedida extends Registro {
  @Column('text', { description: 'Name, such as `litro`', max: 100, sort: true })
  descricao!: string;

  @Column('text', { description: 'Symbol, such as `L`', max: 20, unique: true })
  sigla!: string;

  @Column('text', { description: controlUnits.description, max: 1, oneOf: controlUnits, nullable: true })
  unidadeControle!: ValueOf<typeof controlUnits> | null;

  @Column('decimal', {
    description: 'How many of that unit one of this unit is, such as 0.001',
    nullable: true,
  })
  fatorControle!: number | null;

  // Units can be changed only in GraphQL.
  @Extensions({ graphqlOnly: true })
  @Derived(
    () => [String],
    [],
    'What the monthly map of controlled chemicals lacks of a unit that was just written, by field; else null',
  )
  avisos?: string[] | null;
}
