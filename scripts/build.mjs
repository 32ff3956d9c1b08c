// Compiles the sources and bundles them, with the packages that every start needs, into few files below dist/src. Without this
// Node.js spends half of a start on resolving and linking single modules. Types are checked by `npm run check`.
import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

// Before anything is imported that needs time. `src/commands/options.ts` cannot be used: old versions of Node.js start this.
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const usage = 'This command takes no options.\n';
  if (argument === '--help') process.stdout.write(usage);
  else process.stderr.write(`Unknown option '${argument}'.\n${usage}`);
  process.exit(argument === '--help' ? 0 : 1);
}

const SOURCES = resolve('src');
const BUNDLES = resolve('dist/src');
/** Is written last. Its time says how current the bundles are. */
const STAMP = resolve('dist/.bundled');
/** Prefix of the virtual modules that export everything below a folder. */
const BELOW = '\0below:';

/** What Node.js starts or loads by its path. */
const entries = [
  'main',
  'process/watchdog/thread',
  'news/thread',
  'reports/pdf/worker',
  ...programsIn('commands'),
  ...programsIn('database/migrations'),
];

/** Packages that are not bundled: they load files beside them, or few starts need them. */
const apart = [
  '@node-rs/argon2',
  '@resvg/resvg-wasm',
  'harfbuzzjs',
  'subset-font',
  'jspdf',
  'exceljs',
  'unzipper',
  '@aws-sdk/client-s3',
  '@graphql-yoga/render-graphiql',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  // Optional native parts of pg and ws, which are not installed.
  'pg-native',
  'bufferutil',
  'utf-8-validate',
];

if (!isCurrent()) await bundle();
for (const name of ['schema.graphql', 'demo']) cpSync(name, join('dist', name), { recursive: true });

function programsIn(folder) {
  const names = readdirSync(join(SOURCES, folder)).filter(name => name.endsWith('.ts'));
  return names.map(name => `${folder}/${name.slice(0, -'.ts'.length)}`);
}

/** Whether nothing was changed or installed since the last bundle. A folder's time changes with its files. */
function isCurrent() {
  const made = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs;
  // A time in the future tells nothing: the clock was wrong, then or now.
  if (made === undefined || made > Date.now()) return false;
  const sources = readdirSync(SOURCES, { recursive: true }).map(name => join(SOURCES, name));
  const others = [import.meta.filename, resolve('tsconfig.json'), resolve('package-lock.json')];
  return [SOURCES, ...sources, ...others].every(file => statSync(file).mtimeMs <= made);
}

async function bundle() {
  const started = new Date();
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(entries.map(name => [name, join(SOURCES, `${name}.ts`)])),
    platform: 'node',
    tsconfig: resolve('tsconfig.json'),
    external: apart,
    // Apollo's own looks for the hashes of Node.js at each use. In a bundle it would compute them in JavaScript.
    resolve: { alias: { '@apollo/utils.createhash': 'node:crypto' } },
    plugins: [{ name: 'modules', load, resolveId: id => (id.startsWith(BELOW) ? id : null) }],
  });
  const { output } = await build.write({
    dir: BUNDLES,
    keepNames: true,
    // V8 keeps the text in memory, and takes two bytes for each character where one of them is not in Latin-1.
    charset: 'ascii',
    comments: { jsdoc: false, legal: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    intro: ({ fileName }) =>
      `const __src = new URL(${JSON.stringify('./' + '../'.repeat(fileName.split('/').length - 1))}, import.meta.url);`,
  });
  await build.close();
  removeOthers(new Set(output.map(({ fileName }) => fileName)));
  writeFileSync(STAMP, '');
  utimesSync(STAMP, started, started);
}

/** Loads a module of the service, or a virtual module for a folder. */
function load(id) {
  if (id.startsWith(BELOW)) return all(id.slice(BELOW.length));
  if (!id.startsWith(SOURCES) || !id.endsWith('.ts')) return null;
  let code = readFileSync(id, 'utf8');
  const folders = [];
  code = code.replaceAll(/\bexportsBelow\(new URL\('([^']+)', import\.meta\.url\)\)/g, (_, path) => {
    folders.push(
      `import __below${folders.length} from ${JSON.stringify(BELOW + resolve(dirname(id), path))};`,
    );
    return `Promise.resolve(__below${folders.length - 1})`;
  });
  // In a bundle, import.meta.url is not the URL of the module any more.
  code = code.replaceAll(
    'import.meta.url',
    `new URL(${JSON.stringify(relative(SOURCES, id).replace(/\.ts$/, '.js').replaceAll('\\', '/'))}, __src).href`,
  );
  // The imports are appended, so that lines keep their numbers.
  return { code: [code, ...folders].join('\n'), moduleType: 'ts' };
}

/** The virtual module of a folder. It exports what `exportsBelow` of src/runtime/modules.ts returns. */
function all(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .toSorted();
  return [
    ...files.map((name, i) => `import * as m${i} from ${JSON.stringify(join(folder, name))};`),
    `export default [${files.map((_, i) => `m${i}`).join()}].flatMap(module => Object.values(module));`,
  ].join('\n');
}

/** Removes files of earlier bundles. */
function removeOthers(written) {
  for (const name of readdirSync(BUNDLES, { recursive: true }).map(name => name.replaceAll('\\', '/')))
    if (/\.(js|map)$/.test(name) && !written.has(name)) rmSync(join(BUNDLES, name));
}
