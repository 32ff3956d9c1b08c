import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Local } from './local.ts';
import { Lote } from './lote.ts';
import { IN_MAP, Material } from './material.ts';
import { Movimentacao } from './movimentacao.ts';
import { alertKinds, ReconhecimentoAlerta, UNSENT_MAP, type AlertKind } from './reconhecimento-alerta.ts';

/**
 * The subjects of alerts. The id of an alert is three times the id of its subject, plus the index in this list. The id
 * for a month is negative.
 */
export const subjects = ['estoqueMinimo', 'estoque', 'solicitacaoAprovacao'] as const;

/*
 * An acknowledgement `r` counts until its day, while the cause is not worse than it was then. Without a figure it counts
 * for any cause.
 */

/**
 * Stock of a material at a location that has not expired. A batch can be used on its last day. It is computed for each
 * minimum quantity, because there are far fewer of them than batches.
 */
const USABLE = `select coalesce(sum(e.quantidade), 0) as quantidade
from lote l
join estoque e on e.id_lote = l.id
where l.id_material = m.id_material and e.id_local_fim = m.id_local and e.quantidade > 0
  and (l.data_venc is null or l.data_venc >= current_date)`;

const BELOW_MINIMUM = `select m.id * 3 as id, 'abaixo_do_minimo' as tipo, m.id_material, m.id_local,
  null::int as id_lote, null::int as id_movimentacao, u.quantidade::float8 as quantidade,
  m.quantidade as minimo, null::int as dias_para_vencer, r.id as id_reconhecimento, null::date as mes
from estoque_minimo m
cross join lateral (${USABLE}) u
left join reconhecimento_alerta r on r.id_estoque_minimo = m.id and r.ate >= current_date
  and u.quantidade >= coalesce(r.quantidade, 0) and m.quantidade <= coalesce(r.minimo, m.quantidade)
where u.quantidade < m.quantidade`;

/** An acknowledgement applies to one kind: when stock that was about to expire has expired, its alert is open again. */
const EXPIRING = `select v.id * 3 + 1, v.tipo, v.id_material, v.id_local_fim, v.id_lote, null, v.quantidade, null, v.dias, r.id, null
from (
  select e.id, e.id_lote, e.id_local_fim, e.quantidade, l.id_material, l.data_venc - current_date as dias,
    case
      when l.data_venc < current_date then 'vencido'
      when l.data_venc <= current_date + 30 then 'vence_em_30_dias'
      else 'vence_em_90_dias'
    end as tipo
  from lote l
  join estoque e on e.id_lote = l.id
  where e.quantidade > 0 and l.data_venc <= current_date + 90
) v
left join reconhecimento_alerta r on r.id_estoque = v.id and r.tipo = v.tipo and r.ate >= current_date
  and v.quantidade <= coalesce(r.quantidade, v.quantidade)`;

/** An entry is at the place that it enters, every other movement at the one that it leaves. Clients may send both. */
const WAITING = `select s.id * 3 + 2, 'aprovacao_pendente', l.id_material,
  case when v.id_tipo_movimentacao in (1, 2) then v.id_local_destino_fim else v.id_local_origem_fim end,
  v.id_lote, v.id, v.quantidade, null, null, r.id, null
from solicitacao_aprovacao s
join movimentacao v on v.id = s.id_movimentacao
join lote l on l.id = v.id_lote
left join reconhecimento_alerta r on r.id_solicitacao_aprovacao = s.id and r.ate >= current_date
  and v.quantidade = coalesce(r.quantidade, v.quantidade)
where s.situacao = 'P'`;

/**
 * Months whose map was not sent: the last month, those since the first one that is closed, and those that were sent and
 * reopened since. They are due on the 15th of the next month, and cannot be acknowledged. A closing that was reopened
 * without having been sent may have been of a mistyped year. Institutions without controlled chemicals need no map.
 */
const UNSENT = `select -extract(year from p.mes)::int * 100 - extract(month from p.mes)::int, '${UNSENT_MAP}',
  null, null, null, null, null, null, (p.mes + interval '1 month 14 days')::date - current_date, null, p.mes::date
from (
  select generate_series(least(u.ultimo, (
    select min(make_date(ano, mes, 1))::timestamp from fechamento_mapa where reaberto_em is null
  )), u.ultimo, interval '1 month')
  from (select date_trunc('month', current_date::timestamp) - interval '1 month' as ultimo) u
  union select make_date(ano, mes, 1)::timestamp from fechamento_mapa where enviado_em is not null
) p (mes)
where exists (select from material m left join tipo_controle c on c.id = m.id_tipo_controle where ${IN_MAP})
  and not exists (
    select from fechamento_mapa f
    where make_date(f.ano, f.mes, 1) = p.mes and f.reaberto_em is null and f.enviado_em is not null
  )`;

/** All alerts, open or acknowledged: one statement for each kind of subject. Each query computes them anew. */
export const ALERTS = `select a.*, a.id_reconhecimento is null as aberto
from (${BELOW_MINIMUM} union all ${EXPIRING} union all ${WAITING} union all ${UNSENT}) a`;

@Entity({ expression: ALERTS })
@ObjectType({
  description: 'Something in the storeroom that somebody should act on. It goes when its cause goes.',
  simpleResolvers: true,
})
export class Alerta {
  @Column('integer', { description: 'Identifier, the same as long as its cause lasts' })
  id!: number;

  @Column('text', { description: alertKinds.description, oneOf: alertKinds })
  tipo!: AlertKind;

  @Link(() => Material, { description: 'Material that it concerns', nullable: true })
  material!: Material | null;

  @Link(() => Local, {
    description: 'Location that answers for the stock; of a movement, the one that it leaves, or else enters',
    nullable: true,
  })
  local!: Local | null;

  @Link(() => Lote, { description: 'Batch, if it is about one', nullable: true })
  lote!: Lote | null;

  @Link(() => Movimentacao, { description: 'Movement that waits for approval', nullable: true })
  movimentacao!: Movimentacao | null;

  @Column('sum', {
    description:
      'How much there is, or moves, in the unit of the material; below the minimum quantity, unexpired',
    nullable: true,
  })
  quantidade!: number | null;

  @Column('integer', { description: 'Minimum quantity, if there is less', nullable: true })
  minimo!: number | null;

  @Column('integer', {
    description: 'Days until the batch expires, or until the map is due on the 15th; negative since then',
    nullable: true,
  })
  diasParaVencer!: number | null;

  @Column('date', { description: 'First day of the month of the map, if it is about one', nullable: true })
  mes!: string | null;

  @Column('boolean', { description: 'Whether nobody has acknowledged it for today' })
  aberto!: boolean;

  @Link(() => ReconhecimentoAlerta, { description: 'Who acknowledged it, and until when', nullable: true })
  reconhecimento!: ReconhecimentoAlerta | null;
}
