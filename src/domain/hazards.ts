import type { EntityManager } from '@mikro-orm/postgresql';
import { ClassificacaoRisco } from '../entities/almoxarifado/classificacao-risco.ts';
import type { Material } from '../entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../entities/almoxarifado/risco-material.ts';

/** What an input says of a material's hazards. */
interface HazardsInput {
  riscos?: readonly { idClassificacaoRisco?: number | null }[] | null;
}

/** Replaces the hazards of a material. When absent they stay; null removes all. */
export async function setHazards(
  material: Material,
  { riscos }: HazardsInput,
  em: EntityManager,
): Promise<void> {
  if (riscos === undefined) return;
  const wanted = new Set((riscos ?? []).map(hazard => hazard.idClassificacaoRisco).filter(id => id != null));
  const held = await material.riscos.loadItems();
  for (const link of held) {
    if (!wanted.delete(link.classificacaoRisco.id)) material.riscos.remove(link);
  }
  for (const id of wanted) {
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
