import { options } from '../src/commands/options.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { readGround } from './ground.ts';
import { load, median } from './measure.ts';
import { scenariosFor } from './scenarios.ts';
import { SERVICE, startServer } from './server.ts';

options({}, 'This command takes no options.');

const ROWS = 20_000;
const ROUNDS = 5;
const SECONDS = 4;
/** Of each process, because each compiles its hot code to machine code after some thousands of requests. */
const WARM_UP_SECONDS = 20;
const WORKERS = [1, 2];

const names = ['rest.list', 'rest.single', 'graphql.list', 'rest.movement'] as const;

const database = await createDatabase(process.env['DATABASE_URL']);
try {
  await fillDatabase(database.url, ROWS);
  const start = (workers: number) =>
    startServer([...SERVICE], { DATABASE_URL: database.url, WORKERS: String(workers) });
  const servers = [];
  try {
    for (const workers of WORKERS) servers.push(await start(workers));
    const scenarios = scenariosFor(await readGround(servers[0]!.url, database.url, ROWS));
    for (const name of names) {
      for (const [i, { url }] of servers.entries())
        await load(url, scenarios[name].service, WARM_UP_SECONDS * WORKERS[i]!);
      const rounds: number[][] = [];
      // In turn, so that other load on the machine affects both.
      for (let round = 0; round < ROUNDS; round++) {
        const answered = [];
        for (const { url } of servers)
          answered.push((await load(url, scenarios[name].service, SECONDS)) / SECONDS);
        rounds.push(answered);
      }
      const [one, two] = WORKERS.map((_, i) => median(rounds.map(round => round[i]!)));
      const ratio = (two! / one!).toFixed(2);
      process.stdout.write(
        `${name}: ${one!.toFixed(0)}/s with 1 worker, ${two!.toFixed(0)}/s with 2, ratio ${ratio}\n`,
      );
    }
  } finally {
    for (const server of servers) await server.stop();
  }
} finally {
  await database.drop();
}
