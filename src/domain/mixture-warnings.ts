import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import { IN_MAP } from '../entities/almoxarifado/material.ts';
import type { SubstanciaControlada } from '../entities/almoxarifado/substancia-controlada.ts';
import type { Call } from '../request/call.ts';
import { advice } from './control-advice.ts';
import { lacking, MATERIAL } from './control-warnings.ts';
import type { Complete } from './records.ts';

/** The titles of materials, and whether each is outside the map only because it has no controlled chemical. */
const MIXTURES = `
select m.id, m.titulo, m.lista_pf is distinct from 'VII' and (${IN_MAP}) is not true
from material m left join tipo_controle c on c.id = m.id_tipo_controle
where m.id = any ($1::int[])`;

/**
 * Completes a write of a controlled chemical of a mixture, and adds warnings to its answer: what the map lacks of the
 * mixture, or that this is no longer in it; and the same of the mixture that had the chemical before, with its title.
 */
export function warningOfMixtures<I>(
  complete: Complete<SubstanciaControlada, I>,
): Complete<SubstanciaControlada, I> {
  const before = new WeakMap<SubstanciaControlada, number>();
  const remember: Complete<SubstanciaControlada, I> = async (substance, input, em, call) => {
    const stored = em.getUnitOfWork().getOriginalEntityData(substance) as { material: number } | undefined;
    if (stored) before.set(substance, stored.material);
    await complete(substance, input, em, call);
  };
  const last: typeof remember.last = async (substance, written, em, call) => {
    if (!call.selection['avisos']) return;
    const { id } = substance.material;
    const avisos = await warningsOf([...new Set([id, before.get(substance) ?? id])], em, call);
    if (avisos.length > 0) written.avisos = avisos;
  };
  return Object.assign(remember, complete, { last });
}

/** What the map lacks of mixtures. Those after the first one are named. */
async function warningsOf(ids: readonly number[], em: EntityManager, call: Call): Promise<string[]> {
  const found = await lacking(em, MATERIAL, ids, call);
  const rows = (await transactionReader(em).rows(MIXTURES, [ids])) as [number, string, boolean][];
  const { language } = call.context;
  return ids.flatMap((id, nth) => {
    const [, titulo, isOutside] = rows.find(([key]) => key === id)!;
    const sentences = isOutside
      ? [`substancias_controladas: ${advice.leftMap[language]}`]
      : (found.get(id) ?? []);
    return nth === 0 ? sentences : sentences.map(sentence => sentence.replace(': ', () => `: ${titulo}: `));
  });
}
