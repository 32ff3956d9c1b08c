import { readFile } from 'node:fs/promises';
import { headsIn, headText, type Head } from '../domain/audit/links.ts';
import { verifyTrail } from '../domain/audit/verify.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { options } from './options.ts';
import { showProgress } from './progress.ts';

const USAGE = `Usage: npm run audit:verify -- [--heads <file>]…
<file> is any text with heads, such as the service's log or earlier output of this command.`;

async function readHeads(): Promise<Head[]> {
  const { heads: files = [] } = options({ heads: { type: 'string', multiple: true } }, USAGE);
  const texts = await Promise.all(
    files.map(file =>
      readFile(file, 'utf8').catch((error: Error) => {
        throw new OperatorError(`${file} cannot be read: ${error.message}`);
      }),
    ),
  );
  const without = files.filter((_, i) => headsIn(texts[i]!).length === 0);
  if (without.length > 0) throw new OperatorError(`There is no head in ${without.join(', ')}.`);
  return texts.flatMap(headsIn);
}

/** The lines below a heading, and what to do about them; nothing without lines. */
const under = (heading: string, lines: readonly string[], advice: string): string[] =>
  lines.length > 0 ? [heading, ...lines.map(line => `  ${line}`), advice] : [];

const progress = showProgress();
await runCommand(
  async (services, given) => {
    const verification = await verifyTrail(services, given, progress.step).finally(progress.end);
    const { findings, unread, entries, forgotten, waiting, kept, matching, heads } = verification;
    const problems = [
      ...under(
        'The audit trail was changed after it was written:',
        findings,
        'Keep a dump and the log, and see "audit trail" in docs/operations.md.',
      ),
      ...under(
        'The file storage did not answer, so these archives were not verified:',
        unread,
        `${entries} other entries were read. Verify again.`,
      ),
    ];
    if (problems.length > 0) throw new OperatorError(problems.join('\n'));
    return [
      `All ${entries} entries match their chains. ${forgotten} refusals were deleted after a year. ${waiting} entries are not chained yet.`,
      kept > 0
        ? `${matching} of the ${kept} given heads match.${matching < kept ? ' The others belong to refusals that were deleted after a year.' : ''}`
        : 'No heads were given, so the owner of the database could have rewritten everything: see --heads.',
      'Keep these heads where the administrators of the database cannot write:',
      ...heads.map(head => `  ${headText(head)}`),
    ];
  },
  { embedded: true, existing: true, read: readHeads },
);
