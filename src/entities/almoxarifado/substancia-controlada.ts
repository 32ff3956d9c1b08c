import { Check, Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Derived } from '../computed.ts';
import { Registro } from '../registro.ts';
import { isCode } from './codigo-pf.ts';
import { Material } from './material.ts';

/** A material that has such substances is a mixture. */
@Entity()
@Unique({ properties: ['material', 'codigoPf'] })
@Check({ name: 'substancia_controlada_codigo_pf_check', expression: isCode('codigo_pf') })
@Check({
  name: 'substancia_controlada_concentracao_check',
  expression: '"concentracao"::numeric > 0 and "concentracao"::numeric < 100',
})
@ObjectType({ description: 'A controlled chemical in a mixture.', simpleResolvers: true })
export class SubstanciaControlada extends Registro {
  @Link(() => Material, { description: 'The mixture', owner: true })
  material!: Material;

  @Column('text', { description: 'Code of the Federal Police, `TPN` and 8 digits', max: 11 })
  codigoPf!: string;

  @Column('decimal', { description: 'How much of the mixture it is, in per cent' })
  concentracao!: number;

  @Derived(
    () => [String],
    [],
    'What the monthly map lacks of the mixture, if this was just written, by field; else null',
  )
  avisos?: string[] | null;
}
