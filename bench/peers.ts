import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { commandLine } from '../src/commands/options.ts';
import { session } from './baseline-sql.ts';
import { postmasterOf } from './cpu.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { login } from './login.ts';
import { measure, resultOf, type Sample } from './measure.ts';
import { build, progress } from './rounds.ts';
import type { BenchRequest } from './scenario.ts';
import { SERVICE, startServer, type RunningServer } from './server.ts';

const { values: options } = commandLine(
  {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
  'Usage: npx tsx bench/peers.ts [--rows <100000>] [--rounds <5>] [--seconds <3>]',
);
const [rows, rounds, seconds] = [options.rows, options.rounds, options.seconds].map(Number) as [
  number,
  number,
  number,
];

/** Single reads take turns with so many materials. */
const IDS = 500;

const LINKS = 'unidadeMedida { sigla descricao } tipoControle { descricao }';
const PEER_LINKS =
  'unidadeMedidaByIdUnidadeMedida { sigla descricao } tipoControleByIdTipoControle { descricao }';

/** The same question in the words of both. */
interface Question {
  ours: string;
  theirs: string;
  /** Values of `$id`, in turn. */
  ids?: readonly number[];
}

const questions: Record<string, Question> = {
  single: {
    ours: `query ($id: Int!) { material(id: $id) { titulo numeroCas ${LINKS} } }`,
    theirs: `query ($id: Int!) { materialByRowId(rowId: $id) { titulo numeroCas ${PEER_LINKS} } }`,
    ids: Array.from({ length: IDS }, (_, i) => 1 + Math.floor((i * rows) / IDS)),
  },
  'page without total': {
    ours: `{ materiais(itemsPerPage: 10, orderBy: [{ id: asc }]) { data { titulo numeroCas ${LINKS} } } }`,
    theirs: `{ allMaterials(first: 10, orderBy: [ROW_ID_ASC]) { nodes { titulo numeroCas ${PEER_LINKS} } } }`,
  },
  'page with total': {
    ours: `{ materiais(itemsPerPage: 10, orderBy: [{ id: asc }]) { total data { titulo numeroCas ${LINKS} } } }`,
    theirs: `{ allMaterials(first: 10, orderBy: [ROW_ID_ASC]) { totalCount nodes { titulo numeroCas ${PEER_LINKS} } } }`,
  },
  nested: {
    ours: `{ materiais(itemsPerPage: 10, orderBy: [{ id: asc }]) { data { titulo lotes(itemsPerPage: 10) { data { codLote
      movimentacoes(itemsPerPage: 10) { data { quantidade tipoMovimentacao { descricao } } } } } } } }`,
    theirs: `{ allMaterials(first: 10, orderBy: [ROW_ID_ASC]) { nodes { titulo lotesByIdMaterial(first: 10) { nodes { codLote
      movimentacaosByIdLote(first: 10) { nodes { quantidade tipoMovimentacaoByIdTipoMovimentacao { descricao } } } } } } } }`,
  },
};

const post = (token: string, query: string, variables: object): BenchRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { token, 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify({ query, variables }),
});

const requests = (token: string, query: string, ids?: readonly number[]): BenchRequest[] =>
  (ids ?? [0]).map(id => post(token, query, ids ? { id } : {}));

/** The values of an answer in their order, whatever its fields are called. */
function valuesOf(answer: unknown): unknown[] {
  if (typeof answer !== 'object' || answer === null) return [answer];
  return Object.values(answer).flatMap(valuesOf);
}

async function valuesFrom({ url }: RunningServer, { path, ...request }: BenchRequest): Promise<unknown[]> {
  const body = (await (await fetch(url + path, request)).json()) as { data?: unknown; errors?: unknown };
  if (!body.data || body.errors) throw new Error(`${url}: ${JSON.stringify(body).slice(0, 500)}`);
  return valuesOf(body.data);
}

const here = new URL('./peers/', import.meta.url);
if (!existsSync(new URL('node_modules', here))) {
  progress('installing the peer');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: ['ignore', 2, 2] });
}
build();
const database = await createDatabase(process.env['DATABASE_URL']);
const ends: (() => Promise<void>)[] = [() => database.drop()];
const lines: string[] = [];
try {
  progress(`filling a database with ${rows} materials`);
  await fillDatabase(database.url, rows);
  const start = async (args: string[], environment: Record<string, string>): Promise<RunningServer> => {
    const server = await startServer(args, { ...environment, DATABASE_URL: database.url });
    ends.push(() => server.stop());
    return server;
  };
  const postmaster = await postmasterOf(database.url);
  const service = await start([...SERVICE], {});
  const program = 'bench/peers/postgraphile.mjs';
  const peers = {
    'as it comes': await start([program], {}),
    'with our session': await start([program], { PEER_SESSION: session }),
  };
  const token = await login(service.url);
  for (const [name, { ours, theirs, ids }] of Object.entries(questions)) {
    const asked = { ours: requests(token, ours, ids), theirs: requests(token, theirs, ids) };
    for (const [how, peer] of Object.entries(peers)) {
      const [a, b] = [await valuesFrom(service, asked.ours[0]!), await valuesFrom(peer, asked.theirs[0]!)];
      if (!isDeepStrictEqual(a, b)) throw new Error(`${name}: ${JSON.stringify([a, b]).slice(0, 800)}`);
      const samples = { ours: [] as Sample[], theirs: [] as Sample[] };
      for (let round = 0; round <= rounds; round++)
        for (const who of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
          const server = who === 'ours' ? service : peer;
          const sample = await measure(server, postmaster, asked[who], seconds);
          if (round > 0) samples[who].push(sample);
        }
      const result = resultOf(samples.ours, samples.theirs);
      const figures = [
        result.service.cpu.toFixed(2),
        result.baseline.cpu.toFixed(2),
        result.ratio.cpu.toFixed(2),
      ];
      lines.push(`| ${[name, how, ...figures, result.spread.toFixed(2)].join(' | ')} |`);
      process.stdout.write(`${lines.at(-1)}\n`);
    }
  }
} finally {
  for (const end of ends.toReversed()) await end();
}
const day = new Date().toISOString().slice(0, 10);
const file = new URL(`results/${day}-peers.md`, import.meta.url);
await writeFile(
  file,
  `# Beside PostGraphile 5, ${day}

${rows.toLocaleString('en')} materials, ${rounds} rounds of ${seconds} s, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]!.model}, load average ${loadavg()[1]!.toFixed(1)}.
CPU of server and PostgreSQL for a request, in ms. Both servers answer the same values from the same database. The service
always looks up session and right, and logs; PostGraphile does neither as it comes.

| question | PostGraphile | service ms | PostGraphile ms | ratio | spread |
| --- | --- | --: | --: | --: | --: |
${lines.join('\n')}
`,
);
execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', file.pathname]);
