import type { EntityManager } from '@mikro-orm/postgresql';
import { mayAct } from '../access/session.ts';
import type { Material } from '../entities/almoxarifado/material.ts';
import { transactionReader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { setHazards, type HazardsInput } from './hazards.ts';
import { stockTexts } from './messages.ts';
import { REJEITADA } from './movement.ts';

export const MATERIALS = 'almoxarifadoquimicos/materiais';

/** What says in which unit a material is counted, who must approve its movements, and whether the map has them. */
const COUNTED_AND_CONTROLLED = ['unidadeMedida', 'tipoControle', 'codigoPf', 'listaPf'] as const;

const HAS_MOVED = `
select exists (
  select from lote l join movimentacao m on m.id_lote = l.id
  where l.id_material = $1 and m.id_status_movimentacao <> ${REJEITADA}
) as c0`;

/**
 * Changes a material. Once it has movements, another unit or control also changes what they mean, and without its control
 * its stock could leave without an approval. So both need level 3. What was unknown may be added.
 * @throws FORBIDDEN
 */
export async function changeMaterial(
  material: Material,
  input: HazardsInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const before = em.getUnitOfWork().getOriginalEntityData(material) as Record<string, unknown>;
  const isChanged = COUNTED_AND_CONTROLLED.some(name => {
    const value = material[name];
    const now = typeof value === 'object' && value !== null ? value.id : value;
    return before[name] != null && before[name] !== now;
  });
  if (isChanged && !mayAct(await call.context.session(), MATERIALS, 3)) {
    const [row] = await transactionReader(em).rows(HAS_MOVED, [material.id]);
    if (row![0]) throw new AppError('FORBIDDEN', { detail: stockTexts.materialHasMoved });
  }
  await setHazards(material, input, em);
}
