import type { Reader } from '../database/reader.ts';
import { SERVICE } from '../entities/permissoes/sistema.ts';
import type { Session } from './access.ts';
import { HELD } from './granted.ts';

const LEVELS = `
select p.id, coalesce(max(held.nivel) filter (where held.controller is null), 0),
  coalesce(jsonb_object_agg(held.controller, held.nivel) filter (where held.controller is not null), '{}')
from pessoa p
join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
left join (
  select id_pessoa, controller, max(nivel) as nivel from ${HELD} item
  where id_pessoa = any($1::int[]) and sistema = '${SERVICE}' group by id_pessoa, controller
) held on held.id_pessoa = p.id
where p.id = any($1::int[]) and p.situacao = 'A'
group by p.id`;

/** A person with their current levels, with or without a session. */
export type Levels = Pick<Session, 'idPessoa' | 'everywhere' | 'levels'>;

/** The current levels of these people, by id. People who may not log in are left out. */
export async function levelsNow(reader: Reader, people: readonly number[]): Promise<Map<number, Levels>> {
  const rows = (await reader.rows(LEVELS, [people])) as [number, number, Record<string, number>][];
  return new Map(rows.map(([idPessoa, everywhere, levels]) => [idPessoa, { idPessoa, everywhere, levels }]));
}
