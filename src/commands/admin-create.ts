import { createAdministrator } from './administrator.ts';
import { readApplicant } from './applicant.ts';
import { runCommand } from './command.ts';

await runCommand(async ({ orm }) => createAdministrator(orm, await readApplicant(process.env)));
