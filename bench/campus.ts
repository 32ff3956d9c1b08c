import { execFileSync, execSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAMPUS_PASSWORD } from '../src/demo/campus/access.ts';
import { operations } from '../test/spec/specification.ts';
import { commandLine } from '../src/commands/options.ts';
import { createDatabase, execute } from './database.ts';
import { login, systemHeaders } from './login.ts';
import { SERVICE, startServer } from './server.ts';

/** Number of concurrent clients. Each sends one request after the other. */
const CLIENTS = 20;
/** Least number of requests of each client. Large answers are requested once. */
const AT_LEAST = 3;
const LARGE_BYTES = 1_000_000;
/** Only a few clients request still larger answers, because the run would take hours. */
const HUGE_BYTES = 20_000_000;
const FEW = 2;

/** The figures of one operation. Times are in milliseconds. */
interface Figures {
  path: string;
  status: string;
  bytes: number;
  requests: number;
  first: number;
  p50: number;
  p99: number;
}

const { values: options } = commandLine(
  {
    scale: { type: 'string', default: '0.2' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    // A database that already has a campus, and its folder of files.
    'database-url': { type: 'string' },
    'data-dir': { type: 'string' },
  },
  'Usage: npx tsx bench/campus.ts [--scale <0.2>] [--seconds <2>] [--only <part of a path>] [--database-url <url> --data-dir <folder>]',
);

/** Values for the parameters of paths. `addressOf` uses 1 for any other `{id}`. */
const IDS = `select (select usuario from pessoa where usuario = 'd000001') as teacher,
  (select v.id from vinculo_discente v where exists (select from atividade_curriculo_discente a where a.id_vinculo = v.id) order by id desc limit 1) as "idVinculo",
  (select max(id) from plano_ensino) as plan, (select min(id) from movimentacao) as movement,
  (select min(id) from solicitacao_aprovacao where situacao = 'P') as request,
  (select e.id || ':' || e.id_local_fim || ':' || e.id_local_armazenado from estoque e order by id limit 1) as "cellById",
  (select i.id || ':' || i.id_nota_fiscal from item_nota_fiscal i order by id limit 1) as "itemById"`;

type Ids = Record<string, string | number>;

/** The URL of an operation with its default parameters. */
function addressOf(path: string, ids: Ids, token: string): string {
  const filled = path
    .replace('{id}:{id_local_fim}:{id_local_armazenado}', String(ids['cellById']))
    .replace('{id}:{idNotaFiscal}', String(ids['itemById']))
    .replace('gerar-pdf/{id}', `gerar-pdf/${ids['plan']}`)
    .replace('aprova-movimentacoes/{id}', `aprova-movimentacoes/${ids['request']}`)
    .replace('movimentacoes-estoque/{id}', `movimentacoes-estoque/${ids['movement']}`)
    .replace('{email}', `${ids['teacher']}@universidade.example`)
    .replace('{token}', token)
    .replace('{id}', '1');
  if (path.endsWith('/atividade-curriculo-discente')) return `${filled}?idVinculo=${ids['idVinculo']}`;
  return path.endsWith('/relatorios-parametros') ? `${filled}?id_relatorio=1` : filled;
}

/** Tokens of people who may do everything. */
async function administrators(url: string): Promise<string[]> {
  const admin = await login(url);
  const tokens = [admin];
  for (let i = 1; tokens.length < CLIENTS; i++) {
    const response = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...systemHeaders },
      body: JSON.stringify({ username: `t${String(i).padStart(6, '0')}`, password: CAMPUS_PASSWORD }),
    });
    if (!response.ok) continue;
    const { token, pessoa } = (await response.json()) as { token: string; pessoa: { id: number } };
    const given = await fetch(`${url}/permissoes/permissoes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token: admin },
      body: JSON.stringify({ id_pessoa: pessoa.id, id_perfil: 1, situacao: 'A' }),
    });
    if (!given.ok && given.status !== 409)
      throw new Error(`permission: ${given.status} ${await given.text()}`);
    tokens.push(token);
  }
  return tokens;
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request and reads the answer to its end, as it comes: to decompress it is the client's work, which would take
 * the service's processors here.
 */
const ask = (address: string, token: string): Promise<{ status: number; first: number; all: number }> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { token, ...systemHeaders, 'accept-encoding': 'gzip' };
    get(address, { agent, headers }, response => {
      let first = 0;
      response
        .on('data', () => (first ||= performance.now() - start))
        .on('end', () => resolve({ status: response.statusCode!, first, all: performance.now() - start }))
        .on('error', reject);
    }).on('error', reject);
  });

/** The length of an answer, decompressed. */
async function lengthOf(address: string, token: string): Promise<number> {
  const response = await fetch(address, { headers: { token, ...systemHeaders } });
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return bytes;
}

async function measure(
  url: string,
  path: string,
  ids: Ids,
  tokens: readonly string[],
  ms: number,
): Promise<Figures> {
  const address = (token: string): string => url + addressOf(path, ids, token);
  const bytes = await lengthOf(address(tokens[0]!), tokens[0]!);
  const isLarge = bytes > LARGE_BYTES;
  const end = performance.now() + ms;
  const asked: Awaited<ReturnType<typeof ask>>[] = [];
  const failures = new Map<string, number>();
  await Promise.all(
    tokens.slice(0, bytes > HUGE_BYTES ? FEW : CLIENTS).map(async token => {
      for (let i = 0; isLarge ? i < 1 : i < AT_LEAST || performance.now() < end; i++) {
        try {
          asked.push(await ask(address(token), token));
        } catch {
          failures.set('broken off', (failures.get('broken off') ?? 0) + 1);
        }
      }
    }),
  );
  for (const { status } of asked) failures.set(String(status), (failures.get(String(status)) ?? 0) + 1);
  const at = (share: number, of: 'first' | 'all'): number => {
    const sorted = asked.map(one => one[of]).toSorted((a, b) => a - b);
    return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  };
  const status =
    failures.size === 1
      ? [...failures.keys()][0]!
      : [...failures].map(([what, n]) => `${what} × ${n}`).join(', ');
  return {
    path,
    status,
    bytes,
    requests: asked.length,
    first: at(0.5, 'first'),
    p50: at(0.5, 'all'),
    p99: at(0.99, 'all'),
  };
}

const isAsked = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'GET' && path.includes(options.only);

const row = ({ path, status, bytes, requests, first, p50, p99 }: Figures): string =>
  `| ${path} | ${status} | ${bytes.toLocaleString('en')} | ${requests} | ${first} | ${p50} | ${p99} |`;

async function save(all: readonly Figures[], load: readonly number[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const folder = new URL('./results/', import.meta.url);
  const text = `# Every GET of the specification on a university, ${day}

A university at scale ${options.scale} (\`npm run seed:campus\`), Node ${process.versions.node}, ${processors.length} × ${processors[0]!.model}, which
service, PostgreSQL and clients share. Load average ${load.map(one => one.toFixed(1)).join(' to ')}. Each operation is asked with its defaults by ${CLIENTS} people at
the same time, ${AT_LEAST} times or more by each, and once if the answer is larger than 1 MB; more than 20 MB are asked by ${FEW} people. Answers are compressed by gzip, and not decompressed. Times are in milliseconds: to the first byte (median), and to the last one.

| operation | status | bytes | requests | first byte | p50 | p99 |
| --- | --- | --: | --: | --: | --: | --: |
${all.map(row).join('\n')}
`;
  await mkdir(folder, { recursive: true });
  const file = new URL(`${day}-campus.md`, folder);
  await writeFile(file, text);
  execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', file.pathname]);
}

execSync('npm run --silent build', { stdio: 'inherit' });
const given = options['database-url'];
const database = given ? { url: given, drop: async () => {} } : await createDatabase(undefined);
try {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sii-campus-'));
  const environment = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    DATA_DIR: options['data-dir'] ?? DATA_DIR,
  };
  if (!given)
    execFileSync(process.execPath, ['dist/src/commands/seed-campus.js', '--scale', options.scale], {
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    });
  await execute(database.url, client => client.query('vacuum (analyze)'));
  const ids = await execute(database.url, async client => (await client.query<Ids>(IDS)).rows[0]!);
  const server = await startServer([...SERVICE], environment);
  const load = [loadavg()[0]!];
  const all: Figures[] = [];
  try {
    const tokens = await administrators(server.url);
    for (const { path } of operations.filter(isAsked)) {
      const figures = await measure(server.url, path, ids, tokens, Number(options.seconds) * 1_000);
      all.push(figures);
      process.stdout.write(`${row(figures)}\n`);
    }
  } finally {
    await server.stop();
  }
  load.push(loadavg()[0]!);
  if (!options.only) await save(all, load);
} finally {
  await database.drop();
}
