import { EFETIVADA } from '../domain/movement.ts';
import type { ListArgs } from '../listing/args.ts';
import { report, snakeFilters, type ReportOptions } from './report.ts';

/** The signed quantity of a movement. A reversal counts negative, so that sums give the net quantity. */
export const NET_QUANTITY = `case v.fl_estorno when 'S' then -v.quantidade else v.quantidade end`;

/** The name of a movement's type. Reversals have a name of their own, so that they are not confused with their type. */
export const OPERATION = `case v.fl_estorno when 'S' then 'Estorno de ' || lower(k.descricao) else k.descricao end`;

/** Columns of the material `m`, with its unit `u`. */
export const MATERIAL = 'm.titulo, m.descricao, m.numero_cas, u.sigla as unid_medida';

/** Columns of the batch `l`, with its material and its manufacturer `f`. */
export const BATCH = `l.id_material, ${MATERIAL}, f.nome as fabricante, l.cod_lote`;

/**
 * Joins the batch of a row, with everything that `BATCH` needs. Inner and left joins give the same rows, because a row
 * always has a batch, and a batch a material.
 */
export const batchOf = (row: string, joins = 'left join'): string => `${joins} lote l on l.id = ${row}.id_lote
${joins} material m on m.id = l.id_material
left join unidade_medida u on u.id = m.id_unidade_medida
left join empresa f on f.id = l.id_fabricante`;

/** Columns of the control type `c` of the material `m`, and the Army's name for it. */
export const CONTROL =
  'm.id_tipo_controle, c.descricao as tipo_controle, c.orgao_controlador, m.rotulo_exercito';

/** Names of the locations `r`, which is responsible, and `a`, which stores. */
export const PLACES = 'r.nome as local_responsavel, a.nome as local_armazenado';

/** Joins these locations by their keys. */
export const placesAt = (
  responsible: string,
  stored: string,
): string => `left join "local" r on r.id = ${responsible}
left join "local" a on a.id = ${stored}`;

/** Movements `v`, with their type, batch, material, unit and manufacturer. */
export const MOVEMENTS = `movimentacao v
left join tipo_movimentacao k on k.id = v.id_tipo_movimentacao
${batchOf('v')}`;

/** The condition that a movement has an effect on stock. */
export const EFFECTIVE = `v.id_status_movimentacao = ${EFETIVADA}`;

/** The REST names of the authority in filters and orderings. */
export const authoritySpelled = {
  orgaoControlador: 'org_coontrolador',
  orderByOrgaoControlador: 'orderByOrgCoontrolador',
} as const;

/** A report of the storeroom: its REST filters are in snake_case, and its sums are grouped by unit at least. */
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
