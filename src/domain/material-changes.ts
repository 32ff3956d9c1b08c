import type { EntityManager } from '@mikro-orm/postgresql';
import { mayAct } from '../access/session.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import type { SubstanciaControlada } from '../entities/almoxarifado/substancia-controlada.ts';
import type { UnidadeMedida } from '../entities/almoxarifado/unidade-medida.ts';
import { transactionReader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import type { Text } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { setHazards, type HazardsInput } from './hazards.ts';
import { stockTexts } from './messages.ts';

export const MATERIALS_CONTROLLER = 'almoxarifadoquimicos/materiais';

/** What its movements are counted, controlled and reported by. */
const IDENTITY = [
  'unidadeMedida',
  'tipoControle',
  'codigoPf',
  'listaPf',
  'ncm',
  'concentracao',
  'densidade',
] as const;

/** What a unit is in the map. */
const REPORTED_IN = ['unidadeControle', 'fatorControle'] as const;

/**
 * Whether materials have movements, also rejected ones: what was decided stays so. `which` is SQL of the ids of these
 * materials, with the parameter `$1`.
 */
const haveMoved = (which: string): string => `
select exists (
  select from lote l join movimentacao m on m.id_lote = l.id where l.id_material = any (${which})
) as c0`;

const MATERIALS_MOVED = haveMoved('$1::int[]');
const COUNTED_IN_IT_MOVED = haveMoved('array(select id from material where id_unidade_medida = $1)');

/**
 * Changes a material. Once it has movements, another unit, control or identity also changes what they mean: its stock
 * could leave without an approval, or stand no more in the map. So these need level 3. What was unknown may be added,
 * except list VII, which the map leaves out.
 * @throws FORBIDDEN
 */
export async function changeMaterial(
  material: Material,
  input: HazardsInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const before = originalOf(material, em);
  const isChanged = IDENTITY.some(name => {
    const value = material[name];
    const now = typeof value === 'object' && value !== null ? value.id : value;
    return before[name] !== now && (before[name] != null || now === 'VII');
  });
  if (isChanged) await requireManager([material.id], em, call);
  await setHazards(material, input, em);
}

/**
 * Adds a substance to a mixture. A material with a code of its own becomes a mixture, which the map knows only by its
 * NCM. If it has movements, this needs level 3.
 * @throws FORBIDDEN
 */
export async function addSubstance(
  { material: { id } }: SubstanciaControlada,
  _input: object,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const mixture = await em.findOne(Material, { id });
  if (mixture?.codigoPf != null) await requireManager([id], em, call);
}

/**
 * Changes a substance of a mixture. If that, or the mixture that had it before, has movements, this needs level 3.
 * @throws FORBIDDEN
 */
export async function changeSubstance(
  substance: SubstanciaControlada,
  _input: object,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const { material, codigoPf, concentracao } = originalOf(substance, em);
  const now = substance.material.id;
  if (material !== now || codigoPf !== substance.codigoPf || concentracao !== substance.concentracao)
    await requireManager([material as number, now], em, call);
}

/** Removes a substance of a mixture. If that has movements, this needs level 3. @throws FORBIDDEN */
export const removeSubstance = (
  { material }: SubstanciaControlada,
  _input: object,
  em: EntityManager,
  call: Call,
): Promise<void> => requireManager([material.id], em, call);

/**
 * Changes how a unit is reported. If materials that are counted in it have movements, this also changes what the map
 * has of them, so it needs level 3 on materials. What was unknown may be added.
 * @throws FORBIDDEN
 */
export async function changeUnit(
  unit: UnidadeMedida,
  _input: object,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const before = originalOf(unit, em);
  const isChanged = REPORTED_IN.some(name => before[name] != null && before[name] !== unit[name]);
  if (isChanged) await requireManagerIf(COUNTED_IN_IT_MOVED, unit.id, stockTexts.unitHasMoved, em, call);
}

/** The stored values of a record. Links are keys. */
const originalOf = (record: object, em: EntityManager) =>
  em.getUnitOfWork().getOriginalEntityData(record) as Record<string, unknown>;

/** @throws FORBIDDEN for people without level 3, if one of the materials has movements */
const requireManager = (ids: number[], em: EntityManager, call: Call): Promise<void> =>
  requireManagerIf(MATERIALS_MOVED, ids, stockTexts.materialHasMoved, em, call);

/** @throws FORBIDDEN with this detail for people without level 3 on materials, if there are such movements */
async function requireManagerIf(
  moved: string,
  which: number | number[],
  detail: Text,
  em: EntityManager,
  call: Call,
): Promise<void> {
  if (mayAct(await call.context.session(), MATERIALS_CONTROLLER, 3)) return;
  const [row] = await transactionReader(em).rows(moved, [which]);
  if (row![0]) throw new AppError('FORBIDDEN', { detail });
}
