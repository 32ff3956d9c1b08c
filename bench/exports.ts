import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { commandLine } from '../src/commands/options.ts';
import { residentMb } from './cpu.ts';
import { createDatabase, execute, fillDatabase } from './database.ts';
import { login } from './login.ts';
import { SERVICE, startServer, type RunningServer } from './server.ts';

/**
 * Movements between the locations of the demo, only for exports. The ledger did not enter them, so they do not balance.
 */
const MOVEMENTS = `
insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim,
  id_local_origem_arm, id_local_destino_fim, id_local_destino_arm, quantidade, observacao, fl_estorno)
select (select min(id) from lote) + n % 1000, 3, 2, 1 + n % 3, 1 + n % 3, 1 + (n + 1) % 3, 1 + (n + 1) % 3, 1 + n % 500,
  'Aula prática de titulação, turma ' || n % 40, 'N'
from generate_series(1, $1::int) n`;

/** Milliseconds between two readings of memory, and between a read and the next. */
const MEMORY_EVERY = 100;
const READ_EVERY = 5;

interface Run {
  seconds: number;
  mb: number;
  /** Maximum resident memory of the service: until a tenth was sent, and afterwards. */
  early: number;
  late: number;
  reads: Latency;
}

interface Latency {
  p50: number;
  p99: number;
  most: number;
}

async function fillMovements(client: Client, rows: number): Promise<void> {
  await client.query('alter table movimentacao disable trigger user');
  await client.query(MOVEMENTS, [rows]);
  await client.query('alter table movimentacao enable trigger user');
  await client.query('vacuum (analyze, freeze) movimentacao');
}

/** Single reads, one after the other, until `stopped`. */
async function readUntil(stopped: () => boolean, url: string, token: string): Promise<Latency> {
  const times: number[] = [];
  for (let id = 1; !stopped(); id = 1 + (id % 500)) {
    const start = performance.now();
    const response = await fetch(`${url}/almoxarifadoquimicos/materiais/${id}`, { headers: { token } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a read was answered ${response.status}`);
    times.push(performance.now() - start);
    await sleep(READ_EVERY);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Downloads the whole list of movements while others read. */
async function run({ url, pid }: RunningServer, format: string, token: string): Promise<Run> {
  let done = false;
  let bytes = 0;
  const memory: { bytes: number; mb: number }[] = [];
  const watching = (async () => {
    for (; !done; await sleep(MEMORY_EVERY)) memory.push({ bytes, mb: await residentMb(pid) });
  })();
  const reading = readUntil(() => done, url, token);
  const start = performance.now();
  const query = `export=true&formatoPlanilha=${format}`;
  const response = await fetch(`${url}/almoxarifadoquimicos/movimentacoes-estoque?${query}`, {
    headers: { token },
  });
  if (!response.ok) throw new Error(`the export was answered ${response.status}`);
  for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length;
  const seconds = (performance.now() - start) / 1000;
  done = true;
  await watching;
  const tenth = memory.findIndex(now => now.bytes > bytes / 10);
  const most = (some: typeof memory): number => Math.max(...some.map(({ mb }) => mb));
  return {
    seconds,
    mb: bytes / 1e6,
    early: most(memory.slice(0, tenth)),
    late: most(memory.slice(tenth)),
    reads: await reading,
  };
}

/** Latency of reads while nothing else runs. */
async function quiet({ url }: RunningServer, token: string): Promise<Latency> {
  const end = performance.now() + 5000;
  return readUntil(() => performance.now() > end, url, token);
}

const told = ({ p50, p99, most }: Latency): string =>
  `reads: median ${p50.toFixed(1)} ms, 99 % within ${p99.toFixed(0)} ms, all within ${most.toFixed(0)} ms`;

async function measureAll(service: RunningServer): Promise<void> {
  const token = await login(service.url);
  await quiet(service, token);
  console.log(`before: ${told(await quiet(service, token))}`);
  for (const format of ['csv', 'xlsx']) {
    const { seconds, mb, early, late, reads } = await run(service, format, token);
    console.log(
      `${format}: ${seconds.toFixed(0)} s, ${mb.toFixed(0)} MB; resident at most ${early} MB in the first tenth, ${late} MB later; ${told(reads)}`,
    );
  }
}

async function main(): Promise<void> {
  const { values } = commandLine(
    { rows: { type: 'string', default: '1000000' } },
    'Usage: npx tsx bench/exports.ts [--rows <1000000>]',
  );
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
  const database = await createDatabase(process.env['DATABASE_URL']);
  try {
    await fillDatabase(database.url, 1000);
    await execute(database.url, client => fillMovements(client, Number(values.rows)));
    const service = await startServer([...SERVICE], { DATABASE_URL: database.url });
    try {
      await measureAll(service);
    } finally {
      await service.stop();
    }
  } finally {
    await database.drop();
  }
}

await main();
