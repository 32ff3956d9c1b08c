import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { commandLine } from '../src/commands/options.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { login } from './login.ts';
import { SERVICE, startServer, type RunningServer } from './server.ts';

/** Time between the starts of two other requests. */
const EVERY_MS = 50;
/** Several people log in, because the throttle counts concurrent logins of one person. */
const USERS = ['admin', 'almoxarife', 'tecnico', 'docente', 'discente'];

/** Durations (in ms) and failures of the requests that do not need the locked cell. */
interface Outcome {
  times: number[];
  failed: number;
}

type Send = () => Promise<Response>;

async function timed(outcome: Outcome, send: Send): Promise<void> {
  const start = performance.now();
  const response = await send();
  await response.arrayBuffer();
  outcome.times.push(performance.now() - start);
  if (!response.ok) outcome.failed += 1;
}

/** Sends other requests at a steady rate until `stopped`, however long each takes. */
async function othersUntil(stopped: () => boolean, kinds: Record<string, Send>): Promise<void> {
  const outcomes = new Map(
    Object.keys(kinds).map((name): [string, Outcome] => [name, { times: [], failed: 0 }]),
  );
  const running: Promise<void>[] = [];
  const all = Object.entries(kinds);
  for (let turn = 0; !stopped(); turn++) {
    const [name, send] = all[turn % all.length]!;
    running.push(timed(outcomes.get(name)!, send));
    await sleep(EVERY_MS);
  }
  await Promise.all(running);
  for (const [name, { times, failed }] of outcomes) {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0);
    const latency = `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, all within ${at(1)} ms`;
    console.log(`  ${name}: ${times.length} requests, ${failed} failed; ${latency}`);
  }
}

interface Cell {
  id_lote: number;
  place: number;
}

/** Locks a cell, lets `people` requests wait for it, and measures other requests while the lock is held. */
async function measure(
  { url }: RunningServer,
  databaseUrl: string,
  people: number,
  ms: number,
): Promise<void> {
  const token = await login(url);
  const headers = { token, 'content-type': 'application/json' };
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query<Cell>(
    `select id_lote, id_local_fim as place from estoque
     where id_local_fim = id_local_armazenado and quantidade > 100 order by id limit 50`,
  );
  const [bottle, ...others] = rows as [Cell, ...Cell[]];
  const take = ({ id_lote, place }: Cell): Promise<Response> => {
    const movement = {
      id_lote,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: place,
      quantidade: 1,
      fl_estorno: 'N',
    };
    const body = JSON.stringify({ movimentacoes: [movement] });
    return fetch(`${url}/almoxarifadoquimicos/movimentacoes-estoque`, { method: 'POST', headers, body });
  };
  let turn = 0;
  const kinds: Record<string, Send> = {
    'a list': () =>
      fetch(`${url}/almoxarifadoquimicos/materiais?pagination=true&page=${1 + (turn++ % 50)}`, { headers }),
    'a record': () => fetch(`${url}/almoxarifadoquimicos/materiais/${1 + (turn++ % 500)}`, { headers }),
    'another cell': () => take(others[turn++ % others.length]!),
    'a login': () =>
      login(url, USERS[turn++ % USERS.length]).then(
        () => Response.json({}),
        () => Response.error(),
      ),
  };
  console.log('with nobody waiting');
  const quiet = performance.now() + 5_000;
  await othersUntil(() => performance.now() > quiet, kinds);
  await database.query('begin');
  await database.query('select from estoque where id_lote = $1 and id_local_fim = $2 for update', [
    bottle.id_lote,
    bottle.place,
  ]);
  const waiting = Promise.all(
    Array.from({ length: people }, () => take(bottle).then(({ status }) => status)),
  );
  console.log(`while ${people} wait`);
  const end = performance.now() + ms;
  await othersUntil(() => performance.now() > end, kinds);
  await database.query('rollback');
  await database.end();
  const answers = new Map<number, number>();
  for (const status of await waiting) answers.set(status, (answers.get(status) ?? 0) + 1);
  console.log(`of those who waited: ${JSON.stringify(Object.fromEntries(answers))}`);
}

async function main(): Promise<void> {
  const { values } = commandLine(
    { people: { type: 'string', default: '300' }, seconds: { type: 'string', default: '6' } },
    'Usage: npx tsx bench/waiting.ts [--people <300>] [--seconds <6>]',
  );
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
  const database = await createDatabase(process.env['DATABASE_URL']);
  try {
    await fillDatabase(database.url, 1000);
    const service = await startServer([...SERVICE], {
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
    });
    try {
      await measure(service, database.url, Number(values.people), Number(values.seconds) * 1000);
    } finally {
      await service.stop();
    }
  } finally {
    await database.drop();
  }
}

await main();
