import { searchArchives, type ArchiveQuery } from '../domain/audit/search.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { options, wholeNumber } from './options.ts';
import { complain, print } from './output.ts';
import { showProgress } from './progress.ts';

const USAGE = `Usage: npm run audit:search -- [--table <name>] [--record <id>] [--person <id>] [--request <id>] [--from <moment>] [--until <moment>]
A moment is a day (2026-11-22, in UTC) or in ISO 8601 (2026-11-22T08:00:00Z).`;

const text = { type: 'string' } as const;

function readQuery(): ArchiveQuery {
  const given = options(
    { table: text, record: text, person: text, request: text, from: text, until: text },
    USAGE,
  );
  return {
    table: given.table,
    record: wholeNumber('record', given.record, 1),
    person: wholeNumber('person', given.person, 1),
    request: given.request,
    from: moment('from', given.from, 'T00:00:00.000Z'),
    until: moment('until', given.until, 'T23:59:59.999Z'),
  };
}

/** A timestamp in the format of the archives. */
function moment(name: string, value: string | undefined, ofDay: string): string | undefined {
  if (value === undefined) return undefined;
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(value) ? value + ofDay : value);
  if (Number.isNaN(date.getTime())) throw new OperatorError(`--${name} is not a valid time.\n${USAGE}`);
  return date.toISOString();
}

const progress = showProgress();
await runCommand(
  async (services, query) => {
    let found = 0;
    const findings: string[] = [];
    const watcher = { progress: progress.step, onDamage: (finding: string) => findings.push(finding) };
    for await (const entry of searchArchives(services, query, watcher)) {
      progress.end();
      await print([entry]);
      found += 1;
    }
    progress.end();
    complain(`${found} archived entries. The query trilhaAuditoria has the entries that are not archived.`);
    if (findings.length > 0)
      throw new OperatorError(
        [
          'Entries may be missing, because not all files can be read:',
          ...findings.map(finding => `  ${finding}`),
          'Restore what is missing or damaged from a backup, and search again. What was printed from a damaged file may be wrong.',
        ].join('\n'),
      );
    return [];
  },
  { embedded: true, existing: true, read: readQuery },
);
