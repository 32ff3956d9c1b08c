import { SERVICE } from '../entities/permissoes/sistema.ts';
import { createAdministrator, createKey } from './administrator.ts';
import { readApplicant } from './applicant.ts';
import { runCommand } from './command.ts';
import { options } from './options.ts';
import { print } from './output.ts';

const USAGE = `Usage: npm run admin:create -- [--new-key]
With --new-key it makes nobody an administrator: it only issues one more API key of the system ${SERVICE}.`;

await runCommand(
  async ({ orm }, isKeyOnly) => {
    if (isKeyOnly) await createKey(orm, print);
    else await createAdministrator(orm, await readApplicant(process.env), print);
    return [];
  },
  { read: () => options({ 'new-key': { type: 'boolean', default: false } }, USAGE)['new-key'] },
);
