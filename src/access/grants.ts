import type { EntityManager } from '@mikro-orm/postgresql';
import { GRANTABLE, GRANTED, HELD, HOLDABLE, mayEnter } from './granted.ts';
import { SERVICE } from '../entities/permissoes/sistema.ts';
import { transactionReader, type Reader } from '../database/reader.ts';

/** A level that a profile grants on a controller, or on all controllers of a system (`controller` null). */
export interface Grant {
  idPerfil: number;
  /** Acronym of the system. */
  sistema: string;
  controller: string | null;
  nivel: number;
}

const highest = (grants: string): string => `
select id_perfil, sistema, controller, max(nivel) as nivel from ${grants} granted
group by id_perfil, sistema, controller`;

/** A person's profiles with active permissions. */
const PROFILES = `select id_perfil from permissao where id_pessoa = $1 and situacao = 'A'`;

const ofPerson = (grants: string): string => highest(`(select * from ${grants} held where id_pessoa = $1)`);

/** What a person's profiles grant now. */
const HELD_BY = ofPerson(HELD);
/** That, and what they would grant if nothing were inactive. */
const HOLDABLE_BY = ofPerson(HOLDABLE);

/** What profiles grant now. */
export const allGrants = (em: EntityManager): Promise<Grant[]> =>
  read(transactionReader(em), highest(GRANTED), []);

/** What profiles would grant if nothing were inactive. */
export const allGrantable = (em: EntityManager): Promise<Grant[]> =>
  read(transactionReader(em), highest(GRANTABLE), []);

async function read(reader: Reader, text: string, values: readonly unknown[]): Promise<Grant[]> {
  return (await reader.rows(text, values)).map(row => {
    const [idPerfil, sistema, controller, nivel] = row as [number, string, string | null, number];
    return { idPerfil, sistema, controller, nivel };
  });
}

/**
 * Whether one person manages (level 3) everything that the other person has permissions on, also inactive ones. Otherwise
 * one could take a right away, take the person over, and wait until somebody gives the right back.
 */
export async function managesAllOf(reader: Reader, idPessoa: number, other: number): Promise<boolean> {
  const held = await read(reader, HELD_BY, [idPessoa]);
  return (await read(reader, HOLDABLE_BY, [other])).every(grant => mayGive(held, grant));
}

const UNMANAGED = `select c as c0 from unnest($2::text[]) c where not exists (
  select from ${HELD} held
  where held.id_pessoa = $1 and ${mayEnter('$1')} and held.sistema = '${SERVICE}' and held.nivel = 3
    and (held.controller is null or held.controller = c)) limit 1`;

/**
 * The first of these controllers of the service that a person does not manage (level 3) now, whether or not they have a
 * session.
 */
export async function unmanaged(
  reader: Reader,
  idPessoa: number,
  controllers: readonly string[],
): Promise<string | undefined> {
  const [row] = await reader.rows(UNMANAGED, [idPessoa, controllers]);
  return row?.[0] as string | undefined;
}

export async function profilesOf(em: EntityManager, idPessoa: number): Promise<Set<number>> {
  const rows = await transactionReader(em).rows(PROFILES, [idPessoa]);
  return new Set(rows.flat() as number[]);
}

/** The grants in `after` that are not in `before`, including higher levels. */
export function gained(before: readonly Grant[], after: readonly Grant[]): Grant[] {
  const levels = new Map(before.map(grant => [keyOf(grant), grant.nivel]));
  return after.filter(grant => grant.nivel > (levels.get(keyOf(grant)) ?? 0));
}

const keyOf = ({ idPerfil, sistema, controller }: Grant): string =>
  JSON.stringify([idPerfil, sistema, controller]);

/**
 * Whether somebody with the grants `held` may give this one to others: they manage (level 3) its controller, its whole
 * system, or all of this service, which administers every system.
 */
export const mayGive = (held: readonly Grant[], given: Grant): boolean =>
  held.some(
    ({ nivel, sistema, controller }) =>
      nivel === 3 &&
      ((sistema === SERVICE && controller === null) ||
        (sistema === given.sistema && (controller === null || controller === given.controller))),
  );

/**
 * SQL condition: whether a profile grants something that a person may not give to others (`mayGive`). Both arguments
 * are SQL expressions of ids. That of the person must be the same for all rows: PostgreSQL then finds these profiles once.
 */
export const grantsBeyond = (idPerfil: string, idPessoa: string): string =>
  beyond(GRANTED, idPerfil, idPessoa);

/** The same, if nothing were inactive. */
export const couldGrantBeyond = (idPerfil: string, idPessoa: string): string =>
  beyond(GRANTABLE, idPerfil, idPessoa);

const beyond = (grants: string, idPerfil: string, idPessoa: string): string => `${idPerfil} = any(array(
  select given.id_perfil from ${grants} given where not exists (
    select from ${HELD} held where held.id_pessoa = ${idPessoa} and held.nivel = 3
      and ((held.sistema = '${SERVICE}' and held.controller is null)
        or (held.sistema = given.sistema and (held.controller is null or held.controller = given.controller))))))`;

/**
 * SQL of the ids of people who can log in and manage every controller of this service. Without an LDAP server nobody logs in
 * who has no password of the service. With one the password may be there, which no statement can see.
 */
export const ADMINISTRATORS = `
  select held.id_pessoa from ${HELD} held
  where sistema = '${SERVICE}' and controller is null and nivel = 3 and ${mayEnter('held.id_pessoa')}
    and (current_setting('sii.diretorio', true) = 'ldap'
      or exists (select from credencial where credencial.id_pessoa = held.id_pessoa))`;

/** Whether at least one person who can log in still manages every controller of this service. */
export async function hasAdministrator(em: EntityManager): Promise<boolean> {
  const [row] = await transactionReader(em).rows(`select exists (${ADMINISTRATORS}) as found`, []);
  return row![0] as boolean;
}
