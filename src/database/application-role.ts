import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';
import { ownTables } from './own-tables.ts';

/**
 * The service's tables and views, of which the first parameter has the names, and their sequences, each with the rights that the
 * service needs. It may only insert into the audit trail and its chains, and into partitions only through the trail. Only the
 * owner runs and records migrations.
 */
const OWN = `with tabelas as (
  select c.oid, c.relacl, case
    when c.relname in ('mikro_orm_migrations', 'auditoria_antes') or c.relispartition then 'select'
    when c.relname in ('auditoria', 'elo_auditoria', 'selo_auditoria') then 'select, insert'
    else 'select, insert, update, delete' end as direitos
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
    and (c.relname = any (string_to_array(?, ','))
      or exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = to_regclass('auditoria')))
), relacoes as (
  select 'table' as tipo, oid, relacl, direitos from tabelas
  union all
  select 'sequence', s.oid, s.relacl, 'usage, select' from pg_class s
  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass
    and d.deptype in ('a', 'i')
  where s.relkind = 'S' and d.refobjid in (select oid from tabelas)
)`;

const MISSING = `${OWN}
select tipo as kind, direitos as rights, string_agg(oid::regclass::text, ', ') as names from relacoes
where not exists (select from aclexplode(relacl) a where a.grantee = ?)
group by tipo, direitos`;

/** Its number, which is 0 for `public`, and its name as SQL writes it. */
interface Role {
  oid: string;
  name: string;
}

/** Grants a role its rights on each relation on which it has none. */
async function grantMissing(em: EntityManager, tables: string[], { oid, name }: Role): Promise<void> {
  const found = await em.execute<Record<'kind' | 'rights' | 'names', string>[]>(MISSING, [
    tables.join(),
    oid,
  ]);
  for (const { kind, rights, names } of found)
    await em.execute(`grant ${rights} on ${kind} ${names} to ${name}`);
}

/** Roles other than the owner that run the service: they may write people, their passwords and movements. */
const RUNNERS = `select a.grantee::int8::text as oid, case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as name
from pg_class c, aclexplode(c.relacl) a
where c.oid in (to_regclass('pessoa'), to_regclass('credencial'), to_regclass('movimentacao')) and a.grantee <> c.relowner
  and a.privilege_type in ('INSERT', 'UPDATE', 'DELETE')
group by a.grantee having count(distinct (c.oid, a.privilege_type)) = 9`;

/**
 * Gives the roles that run the service their rights on the tables that a migration has created, in its transaction.
 * Reading roles and those that may write only some tables get none.
 */
export async function passRightsOn(orm: MikroORM, inside: EntityManager): Promise<void> {
  const tables = ownTables(orm);
  for (const role of await inside.execute<Role[]>(RUNNERS)) await grantMissing(inside, tables, role);
}

const TABLES = `${OWN} select string_agg(oid::regclass::text, ', ') as names from relacoes where tipo = 'table'`;

const FIND_OWNER = `
select relowner::regrole::text as name, pg_has_role(relowner, 'usage') as "isUser"
from pg_class where oid = 'auditoria'::regclass`;

const FIND_ROLE = `
select oid::int8::text as oid, quote_ident(rolname) as name, rolsuper or pg_has_role(oid, current_user, 'member') as mighty
from pg_roles where rolname = ?`;

/**
 * Grants a role exactly what the service needs. It writes records and appends to the audit trail. It can change neither
 * the trail nor the tables and triggers that protect the trail and the ledger; the database user must own these.
 * @throws OperatorError when the role does not exist, or has more rights than these anyway, or when the database user is
 * not the owner
 */
export async function grantToApplication(orm: MikroORM, role: string): Promise<void> {
  await orm.em.fork().transactional(async em => {
    await requireOwner(em);
    const found = await limited(em, role);
    const tables = ownTables(orm);
    const [own] = await em.execute<{ names: string }[]>(TABLES, [tables.join()]);
    await em.execute(`grant usage on schema public to ${found.name}`);
    await em.execute(`revoke all on ${own!.names} from ${found.name}`);
    await grantMissing(em, tables, found);
  });
}

async function requireOwner(em: EntityManager): Promise<void> {
  const [owner] = await em.execute<{ name: string; isUser: boolean }[]>(FIND_OWNER);
  if (!owner!.isUser)
    throw new OperatorError(
      `Only the owner of the tables, ${owner!.name}, may grant rights on them. Set DATABASE_URL to that role's.`,
    );
}

/** The role of this name. @throws OperatorError when its rights cannot be limited */
async function limited(em: EntityManager, role: string): Promise<Role> {
  const [found] = await em.execute<(Role & { mighty: boolean })[]>(FIND_ROLE, [role]);
  if (!found)
    throw new OperatorError(`There is no role ${role}. Create it with: createuser ${role} --pwprompt`);
  if (found.mighty)
    throw new OperatorError(
      `The role ${role} owns the tables or is a superuser, so its rights cannot be limited. Use another role.`,
    );
  return found;
}
