import { grantToApplication } from '../database/application-role.ts';
import { runCommand } from './command.ts';
import { commandLine, misused } from './options.ts';

const USAGE = 'Usage: npm run migrate -- [the one role that runs the service]';

await runCommand(
  async ({ orm }, role) => {
    if (!role) return ['The database is at this version.'];
    await grantToApplication(orm, role);
    return [`The database is at this version, and ${role} may run the service on it.`];
  },
  {
    read: () => {
      const [role, ...others] = commandLine({}, USAGE, true).positionals;
      return others.length > 0 ? misused('There is only one role.', USAGE) : role;
    },
  },
);
