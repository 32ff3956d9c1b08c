import { takeOver } from '../domain/file-owner.ts';
import { sweepFiles } from '../domain/file-sweep.ts';
import { GRACE_HOURS } from '../domain/uploads.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { options } from './options.ts';

const USAGE = 'Usage: npm run files:sweep -- [--take-over]';

let takesOver = false;
await runCommand(
  async services => {
    if (takesOver) await takeOver(services);
    const { removed, incomplete, broken, checked } = await sweepFiles(services, GRACE_HOURS * 3600);
    const bytes = removed.reduce((sum, { size }) => sum + size, 0);
    const lines = [
      `Unused contents removed: ${removed.length} (${bytes} bytes)`,
      ...removed.map(({ sha256, size }) => `  ${sha256} (${size} bytes)`),
      `Incomplete uploads removed: ${incomplete}`,
    ];
    if (broken.length === 0) return [...lines, `All ${checked} contents in use are present and undamaged.`];
    throw new OperatorError(
      [
        ...lines,
        `${broken.length} of ${checked} contents in use are missing or damaged:`,
        ...broken.map(
          ({ sha256, size, reason, records, part }) =>
            `  ${sha256} (${size} bytes) is ${reason}; ${part ? `archive of ${part}` : `files ${records.join(', ')}`}`,
        ),
        'Restore them from a backup, or send the same files again. The archives of the audit trail are only in a backup. See "digital files" in docs/operations.md.',
      ].join('\n'),
    );
  },
  {
    embedded: true,
    existing: true,
    check: async () => {
      takesOver = options({ 'take-over': { type: 'boolean' } }, USAGE)['take-over'] ?? false;
    },
  },
);
