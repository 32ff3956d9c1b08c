import { connectTo } from '../database/check.ts';
import { Servers } from '../database/servers.ts';
import { archiveParts } from '../domain/audit/archive.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { options, wholeNumber } from './options.ts';
import { complain, print } from './output.ts';
import { showProgress } from './progress.ts';

/** Refusals stay in the database for a year and are not archived, so younger months cannot be archived. */
const LEAST_MONTHS = 13;
const USAGE = 'Usage: npm run audit:archive -- [--months <24>]';

const progress = showProgress();
await runCommand(
  async (services, months) => {
    const observer = await connectTo(new Servers(services.config.DATABASE_URL!), {
      application_name: 'sii-observer',
    });
    try {
      let parts = 0;
      const refused: string[] = [];
      // Each part is reported at once, because a later one may end the command.
      for await (const outcome of archiveParts(services, { months, observer, progress: progress.step })) {
        progress.end();
        parts += 1;
        const { part } = outcome;
        if ('refusal' in outcome) {
          refused.push(part);
          complain(`${part} was not archived, because ${outcome.refusal}`);
        } else {
          const { entries, file } = outcome;
          await print([
            `${part}: ${entries} entries were moved into the file ${file.sha256} (${file.size} bytes).`,
          ]);
        }
      }
      if (refused.length > 0)
        throw new OperatorError(`Still in the database, for the reasons above: ${refused.join(', ')}.`);
      return parts === 0 ? [`No sealed part of the audit trail is older than ${months} months.`] : [];
    } finally {
      progress.end();
      await observer.end();
    }
  },
  {
    embedded: true,
    existing: true,
    read: () =>
      wholeNumber('months', options({ months: { type: 'string' } }, USAGE).months, LEAST_MONTHS) ?? 24,
  },
);
