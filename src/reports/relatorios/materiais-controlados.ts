import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { CONTROLLED_MATERIALS } from '../../domain/controlled.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { EACH_ROW } from '../../listing/where.ts';
import { Cell } from '../report.ts';
import { ReportRow } from '../row.ts';
import { authoritySpelled, CONTROL, MATERIAL, PLACES, placesAt, storeroomReport } from '../storeroom.ts';
import * as cells from '../storeroom-cells.ts';
import { ByControlType, ByMaterial, ByPlace } from '../storeroom-filters.ts';

/**
 * Stock of the batches of a controlled material by location. A location without stock has no row. Only a few materials
 * are controlled. PostgreSQL does not know that, and would read all stock. The optimisation fences (`offset 0`) make it
 * find these materials first, and look up the stock of each.
 */
const STORED = `
select min(e.id) as id, m.id as id_material, e.id_local_fim, e.id_local_armazenado,
  sum(e.quantidade)::float8 as quantidade
from (${CONTROLLED_MATERIALS} offset 0) m
cross join lateral (
  select e.* from lote l join estoque e on e.id_lote = l.id where l.id_material = m.id and e.quantidade > 0 offset 0
) e
group by m.id, e.id_local_fim, e.id_local_armazenado`;

const EXPRESSION = `
with guardado as materialized (${STORED}
)
${EACH_ROW}
select s.id, s.id_material, ${MATERIAL}, ${CONTROL}, ${PLACES},
  s.id_local_fim as id_local_responsavel, s.id_local_armazenado, s.quantidade as qt_armazenada
from guardado s
left join material m on m.id = s.id_material
left join tipo_controle c on c.id = m.id_tipo_controle
left join unidade_medida u on u.id = m.id_unidade_medida
${placesAt('s.id_local_fim', 's.id_local_armazenado')}`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'How much of a controlled material is at a place, all its batches together.',
  simpleResolvers: true,
})
export class MaterialControlado extends ReportRow {
  @cells.Titulo(34) titulo!: string;
  @cells.NumeroCas() numeroCas!: string | null;
  @cells.IdTipoControle() idTipoControle!: number | null;

  @Cell('text', {
    title: 'Tipo de controle',
    description: 'Legal control under which it stands',
    nullable: true,
    width: 28,
  })
  tipoControle!: string | null;

  @cells.OrgaoControlador('Authority that controls', 24, 'tipoControle') orgaoControlador!: string | null;
  @cells.IdLocalResponsavel() idLocalResponsavel!: number;
  @cells.LocalResponsavel('Location that answers for it', 28) localResponsavel!: string;
  @cells.IdLocalArmazenado() idLocalArmazenado!: number;
  @cells.LocalArmazenado('Location where it is stored', 28) localArmazenado!: string;
  @cells.Quantidade('sum', 12) qtArmazenada!: number;
  @cells.UnidMedida() unidMedida!: string;
  @cells.RotuloExercito('tipoControle') rotuloExercito!: string | null;
  @cells.NumeroMaterial() idMaterial!: number;
}

@List(() => MaterialControlado, { paging: 'always', usually: ['titulo'] })
export class MateriaisControladosArgs extends ListArgs {
  @ByMaterial() idMaterial?: number;
  @ByControlType() idTipoControle?: number;
  @ByPlace('idLocalResponsavel', 'Local responsável') idLocalResponsavel?: number;
  @ByPlace('idLocalArmazenado', 'Local de armazenamento') idLocalArmazenado?: number;
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

export const MateriaisControladosResolver = storeroomReport(MaterialControlado, MateriaisControladosArgs, {
  id: 9,
  path: 'almoxarifado-quimicos/materiais-controlados',
  title: 'Materiais controlados',
  description: 'What is in stock of the materials under legal control',
  strict: true,
  totalsBy: ['titulo', 'numeroCas', 'idMaterial', 'unidMedida'],
  totalsTitle: 'Subtotais por material',
  spelled: { ...authoritySpelled, idLocalResponsavel: 'id_local_reponsavel' },
});
