import type { Reader } from '../database/reader.ts';
import { SERVICE } from '../entities/permissoes/sistema.ts';
import type { Session } from './access.ts';
import { HELD } from './granted.ts';

/** SQL of the levels on each controller; null is the level on all of them. */
const held = (people: string): string => `(
  select id_pessoa, controller, max(nivel) as nivel from ${HELD} item
  where id_pessoa ${people} and sistema = '${SERVICE}'
  group by id_pessoa, controller
) held`;

const SUMMARY = `coalesce(max(held.nivel) filter (where held.controller is null), 0),
  coalesce(jsonb_object_agg(held.controller, held.nivel) filter (where held.controller is not null), '{}')`;

// A statement of its own, because the plan for any number of people costs more.
const OF_ONE = `select e.estado, ${SUMMARY} from estado_permissoes e left join ${held('= $1')} on true group by e.estado`;

const OF_MANY = `select person.id, e.estado, ${SUMMARY}
from estado_permissoes e cross join unnest($1::int[]) person (id)
left join ${held('= any($1::int[])')} on held.id_pessoa = person.id
group by person.id, e.estado`;

const OF_ACTIVE = `select p.id, ${SUMMARY}
from pessoa p
join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
left join ${held('= any($1::int[])')} on held.id_pessoa = p.id
where p.id = any($1::int[]) and p.situacao = 'A'
group by p.id`;

/** A person with their current levels, with or without a session. */
export type Levels = Pick<Session, 'idPessoa' | 'everywhere' | 'levels'>;

/** A person's levels, and the name of the permission state from which they were computed. */
export type LevelsAtState = Pick<Session, 'everywhere' | 'levels'> & { state: string };

/** The levels of a person who has a session. */
export async function levelsOf(reader: Reader, idPessoa: number): Promise<LevelsAtState> {
  const [row] = await reader.rows(OF_ONE, [idPessoa]);
  const [state, everywhere, levels] = row as [string, number, Record<string, number>];
  return { state, everywhere, levels };
}

/** The levels of several people who have sessions, by their ids. */
export async function levelsOfMany(
  reader: Reader,
  people: readonly number[],
): Promise<[number, LevelsAtState][]> {
  const rows = await reader.rows(OF_MANY, [people]);
  return (rows as [number, string, number, Record<string, number>][]).map(
    ([idPessoa, state, everywhere, levels]) => [idPessoa, { state, everywhere, levels }],
  );
}

/** The current levels of these people, by id. People who may not log in are left out. */
export async function levelsNow(reader: Reader, people: readonly number[]): Promise<Map<number, Levels>> {
  const rows = (await reader.rows(OF_ACTIVE, [people])) as [number, number, Record<string, number>][];
  return new Map(rows.map(([idPessoa, everywhere, levels]) => [idPessoa, { idPessoa, everywhere, levels }]));
}
