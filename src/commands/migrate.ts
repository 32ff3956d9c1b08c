import { grantToApplication } from '../database/application-role.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';

const [role, ...others] = process.argv.slice(2);
await runCommand(
  async ({ orm }) => {
    if (!role) return ['The database is at this version.'];
    await grantToApplication(orm, role);
    return [`The database is at this version, and ${role} may run the service on it.`];
  },
  {
    check: async () => {
      if (others.length > 0 || role?.startsWith('-'))
        throw new OperatorError('Usage: npm run migrate -- [the one role that runs the service]');
    },
  },
);
