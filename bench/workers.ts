import { createDatabase, execute, fillDatabase, type BenchDatabase } from './database.ts';
import { login } from './login.ts';
import { load, median } from './measure.ts';
import { readUsers } from './people.ts';
import { scenariosFor } from './scenarios.ts';
import { startServer } from './server.ts';
import { readStock } from './stock.ts';

const ROWS = 20_000;
const ROUNDS = 3;
const SECONDS = 4;
const WORKERS = [1, 2];

const names = ['rest.list', 'rest.single', 'graphql.list', 'rest.movement'] as const;
type Throughputs = Record<(typeof names)[number], number>;

/** Requests a second of each scenario, with so many workers. */
async function throughputs({ url }: BenchDatabase, workers: number): Promise<Throughputs> {
  const server = await startServer(['dist/src/main.js'], { DATABASE_URL: url, WORKERS: String(workers) });
  try {
    const token = await login(server.url);
    const stock = await execute(url, readStock);
    const users = await execute(url, readUsers);
    const scenarios = scenariosFor({ token, rows: ROWS, stock, users });
    const of = async (name: (typeof names)[number]) =>
      [name, (await load(server.url, scenarios[name].service, SECONDS)) / SECONDS] as const;
    const measured = [];
    for (const name of names) measured.push(await of(name));
    return Object.fromEntries(measured) as Throughputs;
  } finally {
    await server.stop();
  }
}

const database = await createDatabase(process.env['DATABASE_URL']);
try {
  await fillDatabase(database.url, ROWS);
  const rounds: Throughputs[][] = [];
  // The first round warms up. In turn, so that whatever else the machine does falls on both.
  for (let round = 0; round <= ROUNDS; round++) {
    const sample = [];
    for (const workers of WORKERS) sample.push(await throughputs(database, workers));
    if (round > 0) rounds.push(sample);
  }
  for (const name of names) {
    const [one, two] = WORKERS.map((_, i) => median(rounds.map(round => round[i]![name])));
    const figures = [one!.toFixed(0), two!.toFixed(0), (two! / one!).toFixed(2)];
    process.stdout.write(
      `${name}: ${figures[0]}/s with 1 worker, ${figures[1]}/s with 2, ratio ${figures[2]}\n`,
    );
  }
} finally {
  await database.drop();
}
