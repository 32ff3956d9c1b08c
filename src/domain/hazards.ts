import type { EntityManager } from '@mikro-orm/postgresql';
import { ClassificacaoRisco } from '../entities/almoxarifado/classificacao-risco.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../entities/almoxarifado/risco-material.ts';
import { holdFound } from './lock-order.ts';
import { locking, recordLock } from './records.ts';

/** The hazards in the input of a material. */
export interface HazardsInput {
  riscos?: readonly { idClassificacaoRisco?: number | null }[] | null;
}

/** Replaces the hazards of a material. If they are absent they stay; null removes all. */
export async function setHazards(
  material: Material,
  { riscos }: HazardsInput,
  em: EntityManager,
): Promise<void> {
  if (riscos === undefined) return;
  const toAdd = new Set((riscos ?? []).map(hazard => hazard.idClassificacaoRisco).filter(id => id != null));
  const held = await material.riscos.loadItems();
  for (const link of held) {
    if (!toAdd.delete(link.classificacaoRisco.id)) material.riscos.remove(link);
  }
  for (const id of toAdd) {
    const { criadoPor, alteradoPor } = material;
    material.riscos.add(
      em.create(RiscoMaterial, {
        material,
        classificacaoRisco: em.getReference(ClassificacaoRisco, id),
        criadoPor: alteradoPor ?? criadoPor,
        alteradoPor,
      }),
    );
  }
}

const MATERIALS = `
select 'material' as c0, id_material as c1 from risco_material where id = $1
union values ('material', $2::int)`;

/** Locks the material of a hazard, and the one that it gets, before the hazard. */
export const underMaterial = locking<RiscoMaterial, { idMaterial?: number }>({
  first: (em, id, { idMaterial }) => holdFound(em, { text: MATERIALS, values: [id, idMaterial] }),
  turns: ({ idMaterial }) => (idMaterial ? [recordLock(Material, idMaterial)] : []),
});
