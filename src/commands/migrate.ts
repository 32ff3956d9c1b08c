import { grantToApplication } from '../database/application-role.ts';
import { runCommand } from './command.ts';

const [role] = process.argv.slice(2);
await runCommand(async ({ orm }) => {
  if (!role) return ['The database is at this version.'];
  await grantToApplication(orm, role);
  return [`The database is at this version, and ${role} may run the service on it.`];
});
