/**
 * Sends recorded requests to the old service and to this one, and reports how the answers differ:
 *
 *     npm run replay -- --har client.har --old https://old.example --new http://127.0.0.1:4000 --logins logins.json
 *
 * docs/migration.md explains it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { page } from './html.ts';
import { readLogins } from './logins.ts';
import { replay } from './replay.ts';

const USAGE = `npm run replay -- (--har file | --log file) --old URL --new URL [--logins file] [--accept file]
  [--writes] [--each 200] [--out folder]`;

try {
  const { values } = parseArgs({
    options: {
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
  });
  const { har, log, old, new: now, accept, writes, out } = values;
  const each = Number(values.each);
  const isOne = (har === undefined) !== (log === undefined);
  if (!isOne || !URL.canParse(old ?? '') || !URL.canParse(now ?? '') || !(each >= 1)) throw new Error(USAGE);
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
