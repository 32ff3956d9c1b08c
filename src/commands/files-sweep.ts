import { takeOver } from '../domain/file-owner.ts';
import { sweepFiles, type BrokenContent, type SweepWatcher } from '../domain/file-sweep.ts';
import { GRACE_HOURS } from '../domain/uploads.ts';
import { OperatorError } from '../errors.ts';
import { ignored, inBackground } from '../runtime/background.ts';
import type { Content } from '../storage/content.ts';
import { runCommand } from './command.ts';
import { options } from './options.ts';
import { complain, print } from './output.ts';

const USAGE = 'Usage: npm run files:sweep -- [--take-over]';

const named = ({ sha256, size }: Content): string => `  ${sha256} (${size} bytes)`;
const found = ({ reason, records, part, ...content }: BrokenContent): string =>
  `${named(content)} ${reason === 'unread' ? 'could not be read' : `is ${reason}`}; ${part ? `archive of ${part}` : `files ${records.join(', ')}`}`;

/**
 * Each line is printed at once: a sweep may take hours, and may be interrupted. It goes on if nobody reads them; the report
 * at its end then fails as well.
 */
const watcher: SweepWatcher = {
  onRemoved: content => inBackground(print([`${named(content)} is unused, and was removed`]), ignored),
  onKept: content => complain(`${named(content)} is unused, and could not be removed`),
  onBroken: content => complain(found(content)),
};

await runCommand(
  async (services, takesOver) => {
    if (takesOver) await takeOver(services);
    const { removed, removedAll, held, incomplete, broken, checked } = await sweepFiles(
      services,
      GRACE_HOURS * 3600,
      watcher,
    );
    const bytes = removed.reduce((sum, { size }) => sum + size, 0);
    const done = [
      `Unused contents removed: ${removed.length} (${bytes} bytes)`,
      `Incomplete uploads removed: ${incomplete}`,
      held > 0 && `Contents that other transactions held, left to the next sweep: ${held}`,
    ].filter(line => line !== false);
    const lost = broken.filter(({ reason }) => reason !== 'unread').length;
    const unread = broken.length - lost;
    const problems = [
      !removedAll &&
        'The file storage did not answer, so unused contents remain. The next sweep removes them.',
      unread > 0 &&
        `${unread} of ${checked} contents in use could not be read, because the file storage did not answer. Sweep again.`,
      lost > 0 &&
        `${lost} of ${checked} contents in use are missing or damaged.
Restore them from a backup, or send the same files again. The archives of the audit trail are only in a backup. See "digital files" in docs/operations.md.`,
    ].filter(problem => problem !== false);
    if (problems.length > 0) throw new OperatorError([...done, ...problems].join('\n'));
    return [...done, `All ${checked} contents in use are present and undamaged.`];
  },
  {
    embedded: true,
    existing: true,
    read: () => options({ 'take-over': { type: 'boolean', default: false } }, USAGE)['take-over'],
  },
);
