import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { DESCARTE, EFETIVADA, ENTRADA, ENTRADA_AVULSA, SAIDA } from '../../domain/movement.ts';
import { Column } from '../../entities/column.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Rule } from '../../request/validation.ts';
import { EFFECTIVE, MOVEMENTS, NET_QUANTITY, periodErrors } from '../storeroom.ts';
import { Cell, report, snakeFilters } from '../report.ts';
import { ReportRow } from '../row.ts';

/** When each batch first came: an index has the entries alone. */
const ENTERED = `
select e.id_lote, min(e.data) as data from movimentacao e
where e.id_tipo_movimentacao in (${ENTRADA}, ${ENTRADA_AVULSA}) and e.id_status_movimentacao = ${EFETIVADA}
  and e.fl_estorno = 'N'
group by e.id_lote`;

const EXPRESSION = `
select v.id, l.id_material, m.titulo, m.descricao, m.numero_cas, u.sigla as unid_medida, f.nome as fabricante, l.cod_lote,
  k.descricao as operacao, v.fl_estorno as estorno, i.data as dt_entrada, v.data as dt_saida,
  r.nome as local_responsavel, a.nome as local_armazenado, ${NET_QUANTITY} as qt_movimentada
from ${MOVEMENTS}
left join (${ENTERED}) i on i.id_lote = v.id_lote
left join "local" r on r.id = v.id_local_origem_fim
left join "local" a on a.id = v.id_local_origem_arm
where ${EFFECTIVE} and v.id_tipo_movimentacao in (${SAIDA}, ${DESCARTE})`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'That something left stock for good. A reversal brings it back: its quantity is negative.',
  simpleResolvers: true,
})
export class SaidaMaterial extends ReportRow {
  @Column('integer', { description: 'Key of the material' })
  idMaterial!: number;

  @Cell('timestamp', { title: 'Saída', description: 'When it left', width: 19 })
  dtSaida!: string;

  @Cell('text', { title: 'Operação', description: 'Kind of movement', width: 10 })
  operacao!: string;

  @Cell('text', { title: 'Estorno', description: '`S` for a reversal', width: 8, align: 'center' })
  estorno!: string;

  @Cell('text', { title: 'Material', description: 'Name as catalogued', width: 34 })
  titulo!: string;

  @Cell('text', { title: 'Descrição', description: 'What the material is', width: 40 })
  descricao!: string;

  @Cell('text', { title: 'Número CAS', description: 'CAS registry number', nullable: true, width: 12 })
  numeroCas!: string | null;

  @Cell('text', { title: 'Fabricante', description: 'Manufacturer', nullable: true, width: 24 })
  fabricante!: string | null;

  @Cell('text', { title: 'Lote', description: "Manufacturer's code of the batch", nullable: true, width: 14 })
  codLote!: string | null;

  @Cell('timestamp', {
    title: 'Entrada',
    description: 'When the batch first entered stock',
    nullable: true,
    width: 19,
  })
  dtEntrada!: string | null;

  @Cell('text', { title: 'Local responsável', description: 'Location that answered for it', width: 26 })
  localResponsavel!: string;

  @Cell('text', { title: 'Local de armazenamento', description: 'Location where it was stored', width: 26 })
  localArmazenado!: string;

  @Cell('integer', {
    title: 'Quantidade',
    description: 'How much, in the unit of the material; negative where a reversal brought it back',
    width: 12,
    total: true,
  })
  qtMovimentada!: number;

  @Cell('text', { title: 'Unidade', description: 'Unit of the quantity', width: 9 })
  unidMedida!: string;
}

@Rule(periodErrors)
@List(() => SaidaMaterial, { paging: 'always', usually: ['-dtSaida'] })
export class SaidaMateriaisArgs extends ListArgs {
  @Filter(() => Int, 'idMaterial', { title: 'Material', names: [() => Material, 'titulo'] })
  idMaterial?: number;

  @Filter(() => String, 'numeroCas', { match: 'exact' }) numeroCas?: string;
  @Filter(() => String, 'titulo') titulo?: string;
  @Filter(() => String, 'unidMedida') unidMedida?: string;
  @Filter(() => String, 'operacao') operacao?: string;
  @Filter(() => DateScalar, 'dtEntrada', { match: 'day' }) dtEntrada?: string;
  @Filter(() => DateScalar, 'dtSaida', { match: 'day' }) dtSaida?: string;
  @Filter(() => DateScalar, 'dtSaida', { match: 'fromDay', title: 'Início do período' })
  dtPeriodoInicial?: string;

  @Filter(() => DateScalar, 'dtSaida', { match: 'untilDay', title: 'Fim do período' })
  dtPeriodoFinal?: string;
  @Filter(() => Int, 'qtMovimentada') qtMovimentada?: number;

  @OrderBy('numeroCas') orderByNumeroCas?: Ordem;
  @OrderBy('titulo') orderByTitulo?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
  @OrderBy('unidMedida') orderByUnidMedida?: Ordem;
  @OrderBy('fabricante') orderByFabricante?: Ordem;
  @OrderBy('operacao') orderByOperacao?: Ordem;
  @OrderBy('dtEntrada') orderByDataEntrada?: Ordem;
  @OrderBy('dtSaida') orderByDataSaida?: Ordem;
  @OrderBy('localArmazenado') orderByLocalArmazenado?: Ordem;
  @OrderBy('localResponsavel') orderByLocalResponsavel?: Ordem;
  @OrderBy('qtMovimentada') orderByQuantidadeMovimentada?: Ordem;
}

export const SaidaMateriaisResolver = report(SaidaMaterial, SaidaMateriaisArgs, {
  id: 8,
  path: 'almoxarifado-quimicos/saida-materiais',
  title: 'Saída de materiais',
  description: 'What left stock for good: consumption and disposal, and their reversals',
  totalsBy: ['unidMedida'],
  spelled: snakeFilters(SaidaMateriaisArgs),
});
