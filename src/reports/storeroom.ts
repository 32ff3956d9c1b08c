import { EFETIVADA } from '../domain/movement.ts';
import type { FieldError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';

/** Which materials are under legal control, by their control type `c`: there is one by which nothing is controlled. */
export const CONTROLLED = `(c.exige_aprovacao or c.orgao_controlador is not null)`;

/** The signed quantity of a movement. A reversal counts negative, so that sums give the net quantity. */
export const NET_QUANTITY = `case v.fl_estorno when 'S' then -v.quantidade else v.quantidade end`;

/** Movements, `v`, and what they moved: kind, batch, material, unit and manufacturer. */
export const MOVEMENTS = `movimentacao v
left join tipo_movimentacao k on k.id = v.id_tipo_movimentacao
left join lote l on l.id = v.id_lote
left join material m on m.id = l.id_material
left join unidade_medida u on u.id = m.id_unidade_medida
left join empresa f on f.id = l.id_fabricante`;

/** The condition that a movement has an effect on stock. */
export const EFFECTIVE = `v.id_status_movimentacao = ${EFETIVADA}`;

interface Period {
  dtPeriodoInicial?: string | null;
  dtPeriodoFinal?: string | null;
}

/** What is wrong with a period whose first day comes after its last. */
export function periodErrors({ dtPeriodoInicial: first, dtPeriodoFinal: last }: Period): FieldError[] {
  return first && last && first > last
    ? [{ field: 'dtPeriodoFinal', message: fieldMessages.beforeStart }]
    : [];
}
