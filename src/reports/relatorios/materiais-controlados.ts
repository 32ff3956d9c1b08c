import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { Column } from '../../entities/column.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Cell, report, snakeFilters } from '../report.ts';
import { ReportRow } from '../row.ts';
import { CONTROLLED } from '../storeroom.ts';

/** What the batches of a controlled material come to at a place; where nothing is left there is no row. */
const STORED = `
select min(e.id) as id, l.id_material, e.id_local_fim, e.id_local_armazenado, sum(e.quantidade)::float8 as quantidade
from estoque e
join lote l on l.id = e.id_lote
join material m on m.id = l.id_material
join tipo_controle c on c.id = m.id_tipo_controle
where e.quantidade > 0 and ${CONTROLLED}
group by l.id_material, e.id_local_fim, e.id_local_armazenado`;

const EXPRESSION = `
select s.id, s.id_material, m.id_tipo_controle, c.descricao as tipo_controle, c.orgao_controlador, m.titulo, m.numero_cas,
  u.sigla as unid_medida, s.id_local_fim as id_local_responsavel, r.nome as local_responsavel, s.id_local_armazenado,
  a.nome as local_armazenado, s.quantidade as qt_armazenada
from (${STORED}) s
left join material m on m.id = s.id_material
left join tipo_controle c on c.id = m.id_tipo_controle
left join unidade_medida u on u.id = m.id_unidade_medida
left join "local" r on r.id = s.id_local_fim
left join "local" a on a.id = s.id_local_armazenado`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'How much of a controlled material is at a place, all its batches together.',
  simpleResolvers: true,
})
export class MaterialControlado extends ReportRow {
  @Column('integer', { description: 'Key of the material' })
  idMaterial!: number;

  @Cell('text', { title: 'Material', description: 'Name as catalogued', width: 34 })
  titulo!: string;

  @Cell('text', { title: 'Número CAS', description: 'CAS registry number', nullable: true, width: 12 })
  numeroCas!: string | null;

  @Column('integer', { description: 'Key of the control type' })
  idTipoControle!: number;

  @Cell('text', { title: 'Tipo de controle', description: 'Legal control under which it stands', width: 28 })
  tipoControle!: string;

  @Cell('text', {
    title: 'Órgão controlador',
    description: 'Authority that controls',
    nullable: true,
    width: 24,
  })
  orgaoControlador!: string | null;

  @Column('integer', { description: 'Key of the location that answers for it' })
  idLocalResponsavel!: number;

  @Cell('text', { title: 'Local responsável', description: 'Location that answers for it', width: 28 })
  localResponsavel!: string;

  @Column('integer', { description: 'Key of the location where it is stored' })
  idLocalArmazenado!: number;

  @Cell('text', { title: 'Local de armazenamento', description: 'Location where it is stored', width: 28 })
  localArmazenado!: string;

  @Cell('sum', {
    title: 'Quantidade',
    description: 'How much, in the unit of the material',
    width: 12,
    total: true,
  })
  qtArmazenada!: number;

  @Cell('text', { title: 'Unidade', description: 'Unit of the quantity', width: 9 })
  unidMedida!: string;
}

const place = [() => Local, 'nome'] as const;

@List(() => MaterialControlado, { paging: 'always', usually: ['titulo'] })
export class MateriaisControladosArgs extends ListArgs {
  @Filter(() => Int, 'idMaterial', { title: 'Material', names: [() => Material, 'titulo'] })
  idMaterial?: number;

  @Filter(() => Int, 'idTipoControle', {
    title: 'Tipo de controle',
    names: [() => TipoControle, 'descricao'],
  })
  idTipoControle?: number;

  @Filter(() => Int, 'idLocalResponsavel', { title: 'Local responsável', names: place })
  idLocalResponsavel?: number;

  @Filter(() => Int, 'idLocalArmazenado', { title: 'Local de armazenamento', names: place })
  idLocalArmazenado?: number;

  @Filter(() => String, 'numeroCas', { match: 'exact' }) numeroCas?: string;
  @Filter(() => String, 'orgaoControlador') orgaoControlador?: string;
  @Filter(() => String, 'titulo') titulo?: string;
  @Filter(() => String, 'unidMedida') unidMedida?: string;
  @Filter(() => Int, 'qtArmazenada') qtArmazenada?: number;

  @OrderBy('numeroCas') orderByNumeroCas?: Ordem;
  @OrderBy('titulo') orderByTitulo?: Ordem;
  @OrderBy('unidMedida') orderByUnidMedida?: Ordem;
  @OrderBy('qtArmazenada') orderByQuantidadeArmazenada?: Ordem;
  @OrderBy('orgaoControlador') orderByOrgaoControlador?: Ordem;
  @OrderBy('localResponsavel') orderByLocalResponsavel?: Ordem;
  @OrderBy('localArmazenado') orderByLocalArmazenado?: Ordem;
}

export const MateriaisControladosResolver = report(MaterialControlado, MateriaisControladosArgs, {
  id: 9,
  path: 'almoxarifado-quimicos/materiais-controlados',
  title: 'Materiais controlados',
  description: 'What is in stock of the materials under legal control',
  strict: true,
  totalsBy: ['unidMedida'],
  spelled: {
    ...snakeFilters(MateriaisControladosArgs),
    idLocalResponsavel: 'id_local_reponsavel',
    orgaoControlador: 'org_coontrolador',
    orderByOrgaoControlador: 'orderByOrgCoontrolador',
  },
});
