import { IN_MAP } from '../entities/almoxarifado/material.ts';

/* SQL conditions on a material `m` and its control type `c`, which is null if it has none. */

/** Whether the type puts its materials under legal control. One type means "no control". */
export const CONTROLLED_BY_TYPE = `(c.exige_aprovacao or c.orgao_controlador is not null)`;

/** The keys of the materials under legal control, by their type or because they are in the map of the Federal Police. */
export const CONTROLLED_MATERIALS = `
select m.id from material m left join tipo_controle c on c.id = m.id_tipo_controle
where ${CONTROLLED_BY_TYPE} or ${IN_MAP}`;
