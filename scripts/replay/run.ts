/**
 * Sends recorded requests to the old service and to this one, and reports how the answers differ:
 *
 *     npm run replay -- --har client.har --old https://old.example --new http://127.0.0.1:4000 --logins logins.json
 *
 * docs/migration.md explains it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { misused, options } from '../../src/commands/options.ts';
import { page } from './html.ts';
import { readLogins } from './logins.ts';
import { replay } from './replay.ts';

const USAGE = `Usage: npm run replay -- (--har file | --log file) --old URL --new URL [--logins file] [--accept file]
  [--writes] [--each 200] [--out folder]
docs/migration.md explains it.`;

try {
  const values = options(
    {
      har: { type: 'string' },
      log: { type: 'string' },
      old: { type: 'string' },
      new: { type: 'string' },
      logins: { type: 'string' },
      accept: { type: 'string' },
      writes: { type: 'boolean', default: false },
      each: { type: 'string', default: '200' },
      out: { type: 'string', default: 'replay' },
    },
    USAGE,
  );
  const { har, log, old, new: now, accept, writes, out } = values;
  const each = Number(values.each);
  const isOne = (har === undefined) !== (log === undefined);
  if (!isOne) misused('Give the recorded requests: either --har or --log.', USAGE);
  if (!URL.canParse(old ?? '') || !URL.canParse(now ?? '')) misused('--old and --new must be URLs.', USAGE);
  if (!(each >= 1)) misused('--each must be a number from 1.', USAGE);
  const found = await replay({
    har,
    log,
    old: old!,
    new: now!,
    accept,
    writes,
    each,
    logins: values.logins ? await readLogins(values.logins) : undefined,
  });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'report.json'), `${JSON.stringify(found, null, 2)}\n`);
  await writeFile(join(out, 'report.html'), page(found));
  const { parameters, paths } = found.unknown;
  process.stdout.write(
    `${found.sent} requests sent, ${found.differ} answered differently; ${parameters.length} unknown parameters, ${paths.length} unknown paths: ${join(out, 'report.html')}\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
