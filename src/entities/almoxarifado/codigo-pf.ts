import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

/** Lists of the first annex of Portaria MJSP 204/2022, named as in its summaries. */
export const controlledLists = choices(
  'ListaControlada',
  'List of the chemicals that the Federal Police controls',
  {
    I: ['I', 'Precursors'],
    II: ['II', 'Solvents'],
    III: ['III', 'Drugs, adulterants and diluents'],
    IV: ['IV', 'Acids'],
    V: ['V', 'Bases'],
    VI: ['VI', 'Reagents'],
    VII: ['VII', 'Controlled for exports to certain countries only'],
  },
);

/** SQL condition: whether a column has the format of a code. */
export const isCode = (column: string): string => `"${column}" ~ '^TPN[0-9]{8}$'`;

@Entity()
@Check({ name: 'codigo_pf_codigo_check', expression: isCode('codigo') })
@ObjectType({
  description: 'A code of the table of controlled chemicals that SIPROQUIM 2 shows to institutions.',
  simpleResolvers: true,
})
export class CodigoPf extends Registro {
  @Column('text', { description: '`TPN` and 8 digits', max: 11, unique: true })
  codigo!: string;

  @Column('text', { description: 'Name of the chemical', max: 300, search: true, sort: true })
  nome!: string;

  @Column('text', {
    description: controlledLists.description,
    max: 3,
    oneOf: controlledLists,
    nullable: true,
  })
  lista!: ValueOf<typeof controlledLists> | null;
}
