/**
 * Writes the first files of a new resource: entity, resolver, REST routes beyond the specification, demo rows and a test.
 *
 *     npm run new:resource -- almoxarifado/fornecedor [fornecedores]
 *
 * README.md says what comes after it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandLine } from '../../src/commands/options.ts';
import { OperatorError } from '../../src/errors.ts';
import { namesOf } from './names.ts';
import { Source } from './source.ts';
import { entity, examples, resolver, routes, test } from './templates.ts';

const USAGE =
  'Usage: npm run new:resource -- <area>/<name> [<plural>], such as almoxarifado/fornecedor fornecedores';

function create(): void {
  const [path = '', plural] = commandLine({}, USAGE, true).positionals;
  const [area, name] = path.split('/');
  if (!area || !name)
    throw new OperatorError('Name the area and the resource: npm run new:resource -- <area>/<name>');

  const project = join(import.meta.dirname, '../..');
  const source = new Source(project);
  const names = namesOf(name, plural);
  /** First segment of the area's REST paths. */
  const prefix = source.valueIn(area, /\bresource\(\s*\w+,\s*'([\w-]+)\//);

  const files = {
    entity: join(source.folderOf(area, /^@Entity\(\)/m), `${names.file}.ts`),
    resolver: join(source.folderOf(area, /= resource\(/), `${names.file}.ts`),
    test: join(project, 'test', `${names.files}.test.ts`),
    routes: source.exporterOf('beyond'),
    examples: source.exporterOf('seedExamples'),
  };
  for (const file of [files.entity, files.resolver, files.test])
    if (existsSync(file)) throw new OperatorError(`${relative(project, file)} is there already`);

  const from = (file: string) => (exported: string) =>
    Source.specifier(file, exported === names.type ? files.entity : source.exporterOf(exported));
  const write = (file: string, text: string): void => writeFileSync(file, text.trimStart());

  write(files.entity, entity(names, from(files.entity)));
  write(files.resolver, resolver(names, prefix, from(files.resolver)));
  write(files.test, test(names, prefix));
  const route = `'${from(files.routes)('Route')}';`;
  append(
    files.routes,
    `import { area, del, get, post, put, type Route } from ${route}`,
    routes(names, prefix),
    text => text.replace(`import type { Route } from ${route}\n`, ''),
  );
  append(
    files.examples,
    `import { ${names.type} } from '${from(files.examples)(names.type)}';`,
    examples(names),
  );

  const written = Object.values(files).map(file => relative(project, file));
  execFileSync(join(project, 'node_modules/.bin/prettier'), ['--write', '--log-level', 'warn', ...written], {
    cwd: project,
    stdio: 'inherit',
  });
  process.stdout.write(`Wrote ${written.join(', ')}. README.md says what comes next.\n`);
}

/** Adds an import, if it is not there, and an item to the list that ends the first array of the file. */
function append(file: string, imported: string, item: string, prepare = (text: string) => text): void {
  const text = prepare(readFileSync(file, 'utf8'));
  const end = text.lastIndexOf('];');
  const extended = text.slice(0, end) + item + text.slice(end);
  writeFileSync(file, text.includes(imported) ? extended : `${imported}\n${extended}`);
}

try {
  create();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
