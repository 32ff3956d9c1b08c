import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { EFETIVADA, ENTRADAS, SAIDAS } from '../../domain/movement.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Rule } from '../../request/validation.ts';
import { Cell } from '../report.ts';
import { ReportRow } from '../row.ts';
import {
  BATCH,
  EFFECTIVE,
  MOVEMENTS,
  NET_QUANTITY,
  OPERATION,
  PLACES,
  placesAt,
  storeroomReport,
} from '../storeroom.ts';
import * as cells from '../storeroom-cells.ts';
import { ByMaterial, FirstDay, LastDay, periodErrors } from '../storeroom-filters.ts';

/** First entry of each batch. A partial index contains only the entries. */
const ENTERED = `
select e.id_lote, min(e.data) as data from movimentacao e
where e.id_tipo_movimentacao in ${ENTRADAS} and e.id_status_movimentacao = ${EFETIVADA}
  and e.fl_estorno = 'N'
group by e.id_lote`;

const EXPRESSION = `
select v.id, ${BATCH}, ${PLACES}, ${OPERATION} as operacao, v.fl_estorno as estorno,
  v.quantidade_estornada as qt_estornada, i.data as dt_entrada,
  v.data as dt_saida, ${NET_QUANTITY} as qt_movimentada
from ${MOVEMENTS}
left join (${ENTERED}) i on i.id_lote = v.id_lote
${placesAt('v.id_local_origem_fim', 'v.id_local_origem_arm')}
where ${EFFECTIVE} and v.id_tipo_movimentacao in ${SAIDAS}`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'That something left stock for good. A reversal brings it back: its quantity is negative.',
  simpleResolvers: true,
})
export class SaidaMaterial extends ReportRow {
  @cells.IdMaterial() idMaterial!: number;

  @Cell('timestamp', { title: 'Saída', description: 'When it left', width: 19 })
  dtSaida!: string;

  @cells.Operacao() operacao!: string;
  @cells.Estorno() estorno!: string;
  @cells.Titulo(34) titulo!: string;
  @cells.Descricao() descricao!: string;
  @cells.NumeroCas() numeroCas!: string | null;
  @cells.Fabricante(24) fabricante!: string | null;
  @cells.CodLote("Manufacturer's code of the batch", 14) codLote!: string | null;

  @Cell('timestamp', {
    title: 'Entrada',
    description: 'When the batch first entered stock',
    nullable: true,
    width: 19,
  })
  dtEntrada!: string | null;

  @cells.LocalResponsavel('Location that answered for it', 26) localResponsavel!: string;
  @cells.LocalArmazenado('Location where it was stored', 26) localArmazenado!: string;
  @cells.Quantidade('integer', 12, '; negative where a reversal brought it back') qtMovimentada!: number;
  @cells.QtEstornada() qtEstornada!: number;
  @cells.UnidMedida() unidMedida!: string;
}

@Rule(periodErrors)
@List(() => SaidaMaterial, { paging: 'always', usually: ['-dtSaida'] })
export class SaidaMateriaisArgs extends ListArgs {
  @ByMaterial() idMaterial?: number;
  @Filter(() => String, 'numeroCas', { match: 'exact' }) numeroCas?: string;
  @Filter(() => String, 'titulo') titulo?: string;
  @Filter(() => String, 'unidMedida') unidMedida?: string;
  @Filter(() => String, 'operacao') operacao?: string;
  @Filter(() => DateScalar, 'dtEntrada', { match: 'day' }) dtEntrada?: string;
  @Filter(() => DateScalar, 'dtSaida', { match: 'day' }) dtSaida?: string;
  @FirstDay('dtSaida') dtPeriodoInicial?: string;
  @LastDay('dtSaida') dtPeriodoFinal?: string;
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

export const SaidaMateriaisResolver = storeroomReport(SaidaMaterial, SaidaMateriaisArgs, {
  id: 8,
  path: 'almoxarifado-quimicos/saida-materiais',
  title: 'Saída de materiais',
  description: 'What left stock for good: consumption and disposal, and their reversals',
});
