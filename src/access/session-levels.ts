import type { Reader } from '../database/reader.ts';
import { SERVICE } from '../entities/permissoes/sistema.ts';
import type { Session } from './access.ts';
import { HELD } from './granted.ts';

const LEVELS = `
select e.estado, coalesce(max(nivel) filter (where controller is null), 0),
  coalesce(jsonb_object_agg(controller, nivel) filter (where controller is not null), '{}')
from estado_permissoes e
left join (
  select controller, max(nivel) as nivel from ${HELD} item
  where item.id_pessoa = $1 and sistema = $2
  group by controller
) each_controller on true
group by e.estado`;

const LEVELS_OF_MANY = `
select person.id, e.estado, coalesce(max(nivel) filter (where controller is null), 0),
  coalesce(jsonb_object_agg(controller, nivel) filter (where controller is not null), '{}')
from estado_permissoes e cross join unnest($1::int[]) person (id)
left join (
  select id_pessoa, controller, max(nivel) as nivel from ${HELD} item
  where item.id_pessoa = any($1::int[]) and sistema = $2
  group by id_pessoa, controller
) each_controller on each_controller.id_pessoa = person.id
group by person.id, e.estado`;

/** A person's levels, and the name of the permission state from which they were computed. */
export type LevelsAtState = Pick<Session, 'everywhere' | 'levels'> & { state: string };

/** The levels of a person. */
export async function levelsOf(reader: Reader, idPessoa: number): Promise<LevelsAtState> {
  const [row] = await reader.rows(LEVELS, [idPessoa, SERVICE]);
  const [state, everywhere, levels] = row as [string, number, Record<string, number>];
  return { state, everywhere, levels };
}

/** The levels of several people, by their ids. */
export async function levelsOfMany(
  reader: Reader,
  people: readonly number[],
): Promise<[number, LevelsAtState][]> {
  const rows = await reader.rows(LEVELS_OF_MANY, [people, SERVICE]);
  return (rows as [number, string, number, Record<string, number>][]).map(
    ([idPessoa, state, everywhere, levels]) => [idPessoa, { state, everywhere, levels }],
  );
}
