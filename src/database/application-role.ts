import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';

/** `{role}` stands for the quoted name of the role, `{parts}` for the tables of the audit trail. Later migrations grant access to what they create. */
const GRANTS = [
  'grant usage on schema public to {role}',
  'revoke all on all tables in schema public from {role}',
  'grant select, insert, update, delete on all tables in schema public to {role}',
  // The application may only insert into the audit trail and its chains, and into partitions only through the trail.
  // Only the owner runs and records migrations.
  'revoke update, delete on auditoria, elo_auditoria, selo_auditoria from {role}',
  'revoke insert, update, delete on {parts} from {role}',
  'revoke insert, update, delete on mikro_orm_migrations from {role}',
  'grant usage, select on all sequences in schema public to {role}',
];

const PARTS = `select string_agg(inhrelid::regclass::text, ', ') as parts from pg_inherits
where inhparent = 'auditoria'::regclass`;

const FIND_OWNER = `
select relowner::regrole::text as name, pg_has_role(relowner, 'usage') as "isUser"
from pg_class where oid = 'auditoria'::regclass`;

const FIND_ROLE = `
select quote_ident(rolname) as name, rolsuper or pg_has_role(oid, current_user, 'member') as mighty
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
    const name = await nameOf(em, role);
    const [trail] = await em.execute<{ parts: string }[]>(PARTS);
    const parts = `auditoria_antes, ${trail!.parts}`;
    for (const grant of GRANTS) await em.execute(grant.replace('{role}', name).replace('{parts}', parts));
  });
}

async function requireOwner(em: EntityManager): Promise<void> {
  const [owner] = await em.execute<{ name: string; isUser: boolean }[]>(FIND_OWNER);
  if (!owner!.isUser)
    throw new OperatorError(
      `Only the owner of the tables, ${owner!.name}, may grant rights on them. Set DATABASE_URL to that role's.`,
    );
}

async function nameOf(em: EntityManager, role: string): Promise<string> {
  const [found] = await em.execute<{ name: string; mighty: boolean }[]>(FIND_ROLE, [role]);
  if (!found)
    throw new OperatorError(`There is no role ${role}. Create it with: createuser ${role} --pwprompt`);
  if (found.mighty)
    throw new OperatorError(
      `The role ${role} owns the tables or is a superuser, so its rights cannot be limited. Use another role.`,
    );
  return found.name;
}
