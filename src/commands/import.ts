import { analyse } from '../database/analyse.ts';
import { importables, importFile } from '../imports/import-file.ts';
import type { Importable } from '../imports/importable.ts';
import { encodings, type Encoding } from '../imports/encoding.ts';
import type { ImportFile } from '../imports/row.ts';
import { fileAt } from '../imports/rows.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { commandLine } from './options.ts';
import { showProgress } from './progress.ts';

interface Request {
  importable: Importable;
  file: ImportFile;
  dryRun: boolean;
  as: string | undefined;
}

const NOT_ANALYSED =
  'This database user may not analyse the tables. PostgreSQL does it by itself in a few minutes; until then reads may be slow. To do it at once, run as their owner: analyze';

/** Parses the arguments. @throws OperatorError with the usage */
async function readRequest(): Promise<Request> {
  const known = await importables();
  const help = `Usage: npm run import -- [--dry-run] [--as <user>] [--encoding <name>] <records> <file.csv|file.xlsx>
Records: ${[...known.keys()].join(', ')}
Encodings, if one must be named: ${encodings.join(', ')}`;
  const usage = (problem: string): OperatorError => new OperatorError(`${problem}\n${help}`);
  const { positionals, values } = commandLine(
    { 'dry-run': { type: 'boolean', default: false }, as: { type: 'string' }, encoding: { type: 'string' } },
    help,
    true,
  );
  const [name, path, ...rest] = positionals;
  if (name === undefined || path === undefined || rest.length > 0)
    throw usage('What to import, and from which file?');
  const importable = known.get(name);
  if (!importable) throw usage(`"${name}" cannot be imported.`);
  if (importable.entered && values.as === undefined)
    throw usage(`${name} are entered in the name of a person. Say whose: --as <user>.`);
  const encoding = values.encoding;
  if (encoding !== undefined && !isEncoding(encoding)) throw usage(`"${encoding}" is not a known encoding.`);
  const file = await fileAt(path, encoding);
  return { importable, file, dryRun: values['dry-run'], as: values.as };
}

const isEncoding = (name: string): name is Encoding => (encodings as readonly string[]).includes(name);

await runCommand(
  async (services, { importable, file, dryRun, as }) => {
    const progress = showProgress();
    const { created, changed, same, repeated } = await importFile(services, importable, file, {
      dryRun,
      as,
      progress: (rows, done) => progress.step(`rows ${done}`, rows),
    }).finally(progress.end);
    const isAnalysed = dryRun || (await analyse(statement => services.orm.em.fork().execute(statement)));
    return [
      `${dryRun ? 'Would import' : 'Imported'} ${importable.name} from ${file.name}: ` +
        `${created} created, ${changed} changed, ${same} unchanged.` +
        (repeated ? ` Skipped ${repeated} that repeat an earlier row.` : ''),
      ...(isAnalysed ? [] : [NOT_ANALYSED]),
    ];
  },
  { embedded: true, read: readRequest },
);
