import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { CONTROLLED_MATERIALS } from '../../domain/controlled.ts';
import { SAIDAS, TRANSFERENCIA } from '../../domain/movement.ts';
import { Column } from '../../entities/column.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Rule } from '../../request/validation.ts';
import { Cell } from '../report.ts';
import { ReportRow } from '../row.ts';
import {
  authoritySpelled,
  BATCH,
  CONTROL,
  EFFECTIVE,
  MOVEMENTS,
  NET_QUANTITY,
  OPERATION,
  storeroomReport,
} from '../storeroom.ts';
import * as cells from '../storeroom-cells.ts';
import { ByControlType, ByMaterial, ByPlace, FirstDay, LastDay, periodErrors } from '../storeroom-filters.ts';

/**
 * Only a few batches are of controlled materials. They are looked up by material, and their movements by batch, so that
 * the others are not read.
 */
const CONTROLLED_BATCHES = `
select l.id from (${CONTROLLED_MATERIALS} offset 0) m
cross join lateral (select id from lote where id_material = m.id offset 0) l`;

/** The places that a type of movement does not use are stored as clients sent them. */
const LEAVES = `v.id_tipo_movimentacao in ${SAIDAS}`;
const IS_TRANSFER = `v.id_tipo_movimentacao = ${TRANSFERENCIA}`;

/** Locations of a movement: its destination or, if it leaves stock for good, its origin; and the origin of a transfer. */
const EXPRESSION = `
select v.id, ${BATCH}, ${CONTROL}, n.numero_nf as nota_fiscal, ${OPERATION} as operacao, v.fl_estorno as estorno,
  v.quantidade_estornada as qt_estornada,
  v.data as dt_movimentacao, ${NET_QUANTITY} as qt_movimentacao,
  r.id as id_responsavel, r.nome as responsavel, a.id as id_armazenado, a.nome as armazenado,
  ro.id as id_responsavel_origem, ro.nome as responsavel_origem, ao.id as id_armazenado_origem, ao.nome as armazenado_origem
from ${MOVEMENTS}
left join tipo_controle c on c.id = m.id_tipo_controle
left join nota_fiscal n on n.id = v.id_nota_fiscal
left join "local" r on r.id = case when ${LEAVES} then v.id_local_origem_fim else v.id_local_destino_fim end
left join "local" a on a.id = case when ${LEAVES} then v.id_local_origem_arm else v.id_local_destino_arm end
left join "local" ro on ro.id = v.id_local_origem_fim and ${IS_TRANSFER}
left join "local" ao on ao.id = v.id_local_origem_arm and ${IS_TRANSFER}
where ${EFFECTIVE} and v.id_lote = any(array(${CONTROLLED_BATCHES}
))`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'An effective movement of a controlled material. The quantity of a reversal is negative.',
  simpleResolvers: true,
})
export class MovimentacaoControlada extends ReportRow {
  @Cell('timestamp', { title: 'Data', description: 'When it moved', width: 19 })
  dtMovimentacao!: string;

  @cells.Operacao() operacao!: string;
  @cells.Estorno() estorno!: string;
  @cells.Titulo(30) titulo!: string;
  @cells.NumeroCas() numeroCas!: string | null;
  @cells.IdTipoControle() idTipoControle!: number | null;

  @Column('text', { description: 'Legal control under which the material stands', nullable: true })
  tipoControle!: string | null;

  @cells.OrgaoControlador('Authority', 20) orgaoControlador!: string | null;
  @cells.Fabricante(20) fabricante!: string | null;
  @cells.CodLote('Code of the batch', 14) codLote!: string | null;

  @Cell('text', { title: 'Nota fiscal', description: 'Number of its invoice', nullable: true, width: 14 })
  notaFiscal!: string | null;

  @Column('integer', { description: 'Key of the location that answers for it afterwards, or did before' })
  idResponsavel!: number;

  @Cell('text', {
    title: 'Responsável',
    description: 'Location that answers for it afterwards, or did before',
    width: 24,
  })
  responsavel!: string;

  @Column('integer', { description: 'Key of the location where it is stored afterwards, or was before' })
  idArmazenado!: number;

  @Cell('text', {
    title: 'Armazenado em',
    description: 'Location where it is stored afterwards, or was before',
    width: 24,
    under: 'responsavel',
    onlyIfOther: true,
  })
  armazenado!: string;

  @Column('integer', { description: 'Key of the location that answered before a transfer', nullable: true })
  idResponsavelOrigem!: number | null;

  @Cell('text', {
    title: 'Vindo de',
    description: 'Location that answered before a transfer',
    nullable: true,
    width: 24,
  })
  responsavelOrigem!: string | null;

  @Column('integer', { description: 'Key of the location that stored before a transfer', nullable: true })
  idArmazenadoOrigem!: number | null;

  @Column('text', { description: 'Location where it was stored before a transfer', nullable: true })
  armazenadoOrigem!: string | null;

  @cells.Quantidade('integer', 11, '; negative for a reversal') qtMovimentacao!: number;
  @cells.QtEstornada() qtEstornada!: number;
  @cells.UnidMedida() unidMedida!: string;
  @cells.RotuloExercito('orgaoControlador') rotuloExercito!: string | null;
  @cells.NumeroMaterial() idMaterial!: number;
}

@Rule(periodErrors)
@List(() => MovimentacaoControlada, { paging: 'always', usually: ['-dtMovimentacao'] })
export class MovimentacoesMateriaisControladosArgs extends ListArgs {
  @ByMaterial() idMaterial?: number;
  @ByControlType() idTipoControle?: number;
  @Filter(() => String, 'numeroCas', { match: 'exact' }) numeroCas?: string;
  @Filter(() => String, 'orgaoControlador') orgaoControlador?: string;
  @Filter(() => String, 'titulo') titulo?: string;
  @Filter(() => String, 'unidMedida') unidMedida?: string;
  @Filter(() => String, 'operacao') operacao?: string;
  @Filter(() => DateScalar, 'dtMovimentacao', { match: 'day' }) dtMovimentacao?: string;
  @FirstDay('dtMovimentacao') dtPeriodoInicial?: string;
  @LastDay('dtMovimentacao') dtPeriodoFinal?: string;
  @Filter(() => String, 'codLote', { match: 'exact' }) codLote?: string;
  @Filter(() => String, 'fabricante') fabricante?: string;
  @Filter(() => String, 'notaFiscal') notaFiscal?: string;
  @Filter(() => String, ['armazenado', 'armazenadoOrigem']) armazenado?: string;
  @Filter(() => String, ['responsavel', 'responsavelOrigem']) responsavel?: string;
  @Filter(() => Int, 'qtMovimentacao') qtMovimentacao?: number;
  @ByPlace(['idResponsavel', 'idResponsavelOrigem'], 'Responsável') idResponsavel?: number;
  @ByPlace(['idArmazenado', 'idArmazenadoOrigem'], 'Armazenado em') idArmazenado?: number;

  @OrderBy('numeroCas') orderByNumeroCas?: Ordem;
  @OrderBy('codLote') orderByCodLote?: Ordem;
  @OrderBy('fabricante') orderByFabricante?: Ordem;
  @OrderBy('notaFiscal') orderByNotaFiscal?: Ordem;
  @OrderBy('responsavel') orderByResponsavel?: Ordem;
  @OrderBy('armazenado') orderByArmazenado?: Ordem;
  @OrderBy('titulo') orderByTitulo?: Ordem;
  @OrderBy('unidMedida') orderByUnidMedida?: Ordem;
  @OrderBy('operacao') orderByOperacao?: Ordem;
  @OrderBy('dtMovimentacao') orderByDataMovimentacao?: Ordem;
  @OrderBy('qtMovimentacao') orderByQuantidadeMovimentada?: Ordem;
  @OrderBy('orgaoControlador') orderByOrgaoControlador?: Ordem;
}

export const MovimentacoesMateriaisControladosResolver = storeroomReport(
  MovimentacaoControlada,
  MovimentacoesMateriaisControladosArgs,
  {
    id: 10,
    path: 'almoxarifado-quimicos/movimentacoes-materiais-controlados',
    title: 'Movimentações de materiais controlados',
    description: 'Effective movements of the materials under legal control',
    strict: true,
    orientation: 'landscape',
    totalsBy: ['titulo', 'numeroCas', 'idMaterial', 'unidMedida', 'operacao'],
    totalsFromTo: ['responsavelOrigem', 'responsavel'],
    totalsTitle: 'Subtotais por material',
    spelled: authoritySpelled,
  },
);
