import type { EntityManager } from '@mikro-orm/postgresql';
import { SERVICE } from '../access/session.ts';
import { transactionReader } from '../listing/reader.ts';

/** That a profile gives a level on a controller, or on every controller of a system (`controller` null). */
export interface Grant {
  idPerfil: number;
  /** Acronym of the system. */
  sistema: string;
  controller: string | null;
  nivel: number;
}

/** What active profiles give at this moment: an inactive system, controller or item gives nothing (contract 6). */
const GRANTS = `
select pf.id as perfil, si.sigla, c.nome, max(i.nivel) as nivel
from perfil pf
join sistema si on si.id = pf.id_sistema and si.situacao = 'A'
join perfil_recurso pr on pr.id_perfil = pf.id
join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
left join controller c on c.id = i.id_controller and c.id_sistema = si.id and c.situacao = 'A'
where pf.situacao = 'A' and (i.id_controller is null or c.id is not null)
group by pf.id, si.sigla, c.nome`;

/** Profiles that a person has, by active permissions. */
const PROFILES = `select id_perfil from permissao where id_pessoa = $1 and situacao = 'A'`;

export async function allGrants(em: EntityManager): Promise<Grant[]> {
  const rows = await transactionReader(em).rows(GRANTS, []);
  return rows.map(row => {
    const [idPerfil, sistema, controller, nivel] = row as [number, string, string | null, number];
    return { idPerfil, sistema, controller, nivel };
  });
}

export async function profilesOf(em: EntityManager, idPessoa: number): Promise<Set<number>> {
  const rows = await transactionReader(em).rows(PROFILES, [idPessoa]);
  return new Set(rows.flat() as number[]);
}

/** What is given now and was not before, or at a lower level. */
export function gained(before: readonly Grant[], after: readonly Grant[]): Grant[] {
  const levels = new Map(before.map(grant => [keyOf(grant), grant.nivel]));
  return after.filter(grant => grant.nivel > (levels.get(keyOf(grant)) ?? 0));
}

const keyOf = ({ idPerfil, sistema, controller }: Grant): string =>
  JSON.stringify([idPerfil, sistema, controller]);

/**
 * Whether whoever holds these grants may give this one away: they manage (level 3) the controller, all of its system,
 * or all of this service, which administers every system.
 */
export const mayGive = (held: readonly Grant[], given: Grant): boolean =>
  held.some(
    ({ nivel, sistema, controller }) =>
      nivel === 3 &&
      ((sistema === SERVICE && controller === null) ||
        (sistema === given.sistema && (controller === null || controller === given.controller))),
  );

/** SQL of the ids of those who may enter and manage every controller of this service. */
export const ADMINISTRATORS = `
  select p.id from permissao pm
  join pessoa p on p.id = pm.id_pessoa and p.situacao = 'A'
  join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
  join perfil pf on pf.id = pm.id_perfil and pf.situacao = 'A'
  join sistema si on si.id = pf.id_sistema and si.sigla = '${SERVICE}' and si.situacao = 'A'
  join perfil_recurso pr on pr.id_perfil = pf.id
  join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
  where pm.situacao = 'A' and i.id_controller is null and i.nivel = 3`;

/** Whether somebody who may enter still manages every controller of this service. */
export async function hasAdministrator(em: EntityManager): Promise<boolean> {
  const [row] = await transactionReader(em).rows(`select exists (${ADMINISTRATORS}) as found`, []);
  return row![0] as boolean;
}
