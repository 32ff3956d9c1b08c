import { Collection } from '@mikro-orm/core';
import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Derived } from '../computed.ts';
import { Many } from '../many.ts';
import { Registro } from '../registro.ts';
import { controlledLists, isCode } from './codigo-pf.ts';
import { RiscoMaterial } from './risco-material.ts';
import { TipoControle } from './tipo-controle.ts';
import { UnidadeMedida } from './unidade-medida.ts';

/** `estado_fisico`: solid, liquid, gas, paste or gel (contract 4). */
export const physicalStates = choices('EstadoFisico', 'Physical state of a material', {
  SOLIDO: ['S', 'Solid'],
  LIQUIDO: ['L', 'Liquid'],
  GASOSO: ['G', 'Gas'],
  PASTOSO: ['P', 'Paste or gel'],
});

/**
 * SQL condition: whether the map includes a material `m` with the control type `c`. List VII applies only to some
 * exports.
 */
export const IN_MAP = `(c.mapa_pf or m.codigo_pf is not null
  or exists (select from substancia_controlada s where s.id_material = m.id)) and m.lista_pf is distinct from 'VII'`;

@Entity()
@Check({
  name: 'material_link_fispq_check',
  // Browsers execute other addresses, such as `javascript:`.
  expression: `"link_fispq" = '' or "link_fispq" ~* '^\\s*https?:'`,
})
@Check({ name: 'material_codigo_pf_check', expression: isCode('codigo_pf') })
@Check({ name: 'material_ncm_check', expression: `"ncm" ~ '^[0-9]{4}[.][0-9]{2}[.][0-9]{2}$'` })
@Check({
  name: 'material_concentracao_check',
  expression: '"concentracao"::numeric > 0 and "concentracao"::numeric <= 100',
})
@Check({
  name: 'material_densidade_check',
  expression: '"densidade"::numeric >= 0.005 and "densidade"::numeric < 99.995',
})
@ObjectType({ description: 'A chemical product that the storeroom may keep.', simpleResolvers: true })
export class Material extends Registro {
  @Column('text', { description: 'Name as catalogued', max: 300, search: true, sort: true })
  titulo!: string;

  @Column('text', {
    description: 'Code in the federal catalogue of materials',
    max: 20,
    nullable: true,
    sort: true,
  })
  catmat!: string | null;

  @Column('text', { description: 'What it is: purity, presentation, use', max: 4000, search: true })
  descricao!: string;

  @Column('text', {
    description: 'CAS registry number, such as `67-64-1`',
    max: 20,
    nullable: true,
    sort: true,
  })
  numeroCas!: string | null;

  @Column('text', {
    description: physicalStates.description,
    max: 1,
    oneOf: physicalStates,
    sort: true,
  })
  estadoFisico!: ValueOf<typeof physicalStates>;

  @Column('text', { description: 'Safety data sheet (FISPQ): its name or text', max: 4000, nullable: true })
  fispq!: string | null;

  @Column('text', { description: 'Where the safety data sheet is found', max: 2000, nullable: true })
  linkFispq!: string | null;

  @Column('text', {
    description: 'Code of the Federal Police for the chemical, `TPN` and 8 digits',
    max: 11,
    nullable: true,
  })
  codigoPf!: string | null;

  @Column('text', {
    description: controlledLists.description,
    max: 3,
    oneOf: controlledLists,
    nullable: true,
  })
  listaPf!: ValueOf<typeof controlledLists> | null;

  @Column('text', {
    description:
      'NCM of a mixture, such as `3824.99.89`, by which its movements are reported to the Federal Police',
    max: 10,
    nullable: true,
  })
  ncm!: string | null;

  @Column('decimal', { description: 'Concentration in per cent', nullable: true })
  concentracao!: number | null;

  @Column('decimal', { description: 'Density in kg/L', nullable: true })
  densidade!: number | null;

  @Column('text', {
    description: "Label of the Army's list of controlled products (PCE), if the material is on it",
    max: 100,
    nullable: true,
  })
  rotuloExercito!: string | null;

  @Link(() => UnidadeMedida, { description: 'Unit in which it is counted' })
  unidadeMedida!: UnidadeMedida;

  @Link(() => TipoControle, { description: 'Legal control under which it stands', nullable: true })
  tipoControle!: TipoControle | null;

  @Many(() => RiscoMaterial, 'material', 'Its hazards')
  riscos = new Collection<RiscoMaterial>(this);

  @Derived(
    () => [String],
    [],
    'What the monthly map of controlled chemicals lacks of a material that was just written, by field; else null',
  )
  avisos?: string[] | null;
}
