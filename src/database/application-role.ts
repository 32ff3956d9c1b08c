import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';

/** `{role}` stands for the role's name, quoted. What later migrations create is granted when they are done. */
const GRANTS = [
  'grant usage on schema public to {role}',
  'revoke all on all tables in schema public from {role}',
  'grant select, insert, update, delete on all tables in schema public to {role}',
  // The application only adds to the audit trail. Only the owner runs migrations and records them.
  'revoke update, delete on auditoria from {role}',
  'revoke insert, update, delete on mikro_orm_migrations from {role}',
  'grant usage, select on all sequences in schema public to {role}',
];

const FIND_ROLE = `
select quote_ident(rolname) as name, rolsuper or pg_has_role(oid, current_user, 'member') as mighty
from pg_roles where rolname = ?`;

/**
 * Lets a role run the service, and no more: it writes records and adds to the audit trail, but neither changes the trail
 * nor the tables and triggers that guard it and the ledger. The database's user must own these.
 * @throws OperatorError when there is no such role, or one that could do all this anyway
 */
export async function grantToApplication(orm: MikroORM, role: string): Promise<void> {
  await orm.em.fork().transactional(async em => {
    const name = await nameOf(em, role);
    for (const grant of GRANTS) await em.execute(grant.replace('{role}', name));
  });
}

async function nameOf(em: EntityManager, role: string): Promise<string> {
  const [found] = await em.execute<{ name: string; mighty: boolean }[]>(FIND_ROLE, [role]);
  if (!found)
    throw new OperatorError(`There is no role ${role}. Create it with: createuser ${role} --pwprompt`);
  if (found.mighty)
    throw new OperatorError(
      `The role ${role} owns the tables or is a superuser, so nothing can be kept from it. Name another one.`,
    );
  return found.name;
}
