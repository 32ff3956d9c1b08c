import { EFETIVADA } from '../domain/movement.ts';
import type { ListArgs } from '../listing/args.ts';
import { report, snakeFilters, type ReportOptions } from './report.ts';

export { CONTROLLED } from '../domain/controlled.ts';

/** The signed quantity of a movement. A reversal counts negative, so that sums give the net quantity. */
export const NET_QUANTITY = `case v.fl_estorno when 'S' then -v.quantidade else v.quantidade end`;

/** What a movement is called, so that nobody takes its reversal for one of its kind. */
export const OPERATION = `case v.fl_estorno when 'S' then 'Estorno de ' || lower(k.descricao) else k.descricao end`;

/** Columns of the material `m`, with its unit `u`. */
export const MATERIAL = 'm.titulo, m.descricao, m.numero_cas, u.sigla as unid_medida';

/** Columns of the batch `l`, with its material and its manufacturer `f`. */
export const BATCH = `l.id_material, ${MATERIAL}, f.nome as fabricante, l.cod_lote`;

/** Joins the batch of a row, with all that `BATCH` needs. It has a batch, and that has a material, in either way. */
export const batchOf = (row: string, joins = 'left join'): string => `${joins} lote l on l.id = ${row}.id_lote
${joins} material m on m.id = l.id_material
left join unidade_medida u on u.id = m.id_unidade_medida
left join empresa f on f.id = l.id_fabricante`;

/** Columns of the control type `c` of the material `m`, and what the Army calls it. */
export const CONTROL =
  'm.id_tipo_controle, c.descricao as tipo_controle, c.orgao_controlador, m.rotulo_exercito';

/** Names of the places `r` and `a`: which location answers for it, and which one stores it. */
export const PLACES = 'r.nome as local_responsavel, a.nome as local_armazenado';

/** Joins these places by the keys of their locations. */
export const placesAt = (
  responsible: string,
  stored: string,
): string => `left join "local" r on r.id = ${responsible}
left join "local" a on a.id = ${stored}`;

/** Movements, `v`, and what they moved: kind, batch, material, unit and manufacturer. */
export const MOVEMENTS = `movimentacao v
left join tipo_movimentacao k on k.id = v.id_tipo_movimentacao
${batchOf('v')}`;

/** The condition that a movement has an effect on stock. */
export const EFFECTIVE = `v.id_status_movimentacao = ${EFETIVADA}`;

/** How REST spells the authority in filters and orderings. */
export const authoritySpelled = {
  orgaoControlador: 'org_coontrolador',
  orderByOrgaoControlador: 'orderByOrgCoontrolador',
} as const;

/** A report of the storeroom: REST spells its filters in snake_case, and its sums are told apart by unit at least. */
export const storeroomReport = (
  row: new () => object,
  args: new () => ListArgs,
  { spelled, ...options }: ReportOptions,
): new () => object =>
  report(row, args, {
    totalsBy: ['unidMedida'],
    ...options,
    spelled: { ...snakeFilters(args), ...spelled },
  });
