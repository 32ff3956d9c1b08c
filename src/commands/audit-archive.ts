import { connectTo } from '../database/check.ts';
import { Servers } from '../database/servers.ts';
import { archiveParts } from '../domain/audit/archive.ts';
import { runCommand } from './command.ts';
import { options, wholeNumber } from './options.ts';
import { showProgress } from './progress.ts';

/** Refusals stay in the database for a year and are not archived, so younger months cannot be archived. */
const LEAST_MONTHS = 13;
const USAGE = 'Usage: npm run audit:archive -- [--months <24>]';

let months = 24;
const progress = showProgress();
await runCommand(
  async services => {
    const observer = await connectTo(new Servers(services.config.DATABASE_URL!), {
      application_name: 'sii-observer',
    });
    try {
      const archived = await archiveParts(services, { months, observer, progress: progress.step });
      if (archived.length === 0) return [`No sealed part of the audit trail is older than ${months} months.`];
      return archived.map(
        ({ part, entries, sha256, size }) =>
          `${part}: ${entries} entries were moved into the file ${sha256} (${size} bytes).`,
      );
    } finally {
      progress.end();
      await observer.end();
    }
  },
  {
    embedded: true,
    check: async () => {
      const given = options({ months: { type: 'string' } }, USAGE);
      months = wholeNumber('months', given.months, LEAST_MONTHS) ?? months;
    },
  },
);
