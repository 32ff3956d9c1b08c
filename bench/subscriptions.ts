import { createClient } from 'graphql-sse';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { postmasterOf, residentMb } from './cpu.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { login, systemHeaders } from './login.ts';
import { measure, median } from './measure.ts';
import { build, progress } from './rounds.ts';
import type { BenchRequest } from './scenario.ts';
import { startServer } from './server.ts';

/** How long memory settles after subscriptions were opened. */
const SETTLE_MS = 5_000;
/** Subscriptions that are opened at a time. */
const AT_A_TIME = 50;
/** Changes whose way is measured, and the pause between two. */
const CHANGES = 100;
const PAUSE_MS = 50;
/** Length of a measurement of reads, in seconds, and how often each is made. */
const SECONDS = 3;
const ROUNDS = 3;

const { values: options } = parseArgs({ options: { subscriptions: { type: 'string', default: '2000' } } });
const wanted = Number(options.subscriptions);

const SUBSCRIPTION = 'subscription { mudancas(tabelas: ["tipo_empresa"]) { data { registro { versao } } } }';

interface Told {
  data?: { mudancas: { data: { registro: { versao: number } }[] } };
}

build();
const database = await createDatabase(process.env['DATABASE_URL']);
const ends: (() => Promise<unknown>)[] = [() => database.drop()];
try {
  await fillDatabase(database.url, 10_000);
  const service = await startServer(['dist/src/main.js'], {
    DATABASE_URL: database.url,
    MAX_SUBSCRIPTIONS_PER_PERSON: String(wanted),
  });
  ends.push(() => service.stop());
  const postmaster = await postmasterOf(database.url);
  const headers = { token: await login(service.url), ...systemHeaders, 'content-type': 'application/json' };
  const reads: BenchRequest[] = Array.from({ length: 500 }, (_, i) => ({
    method: 'GET',
    path: `/almoxarifadoquimicos/materiais/${1 + i}`,
    headers,
  }));
  const cpuOfARead = async (): Promise<number> => {
    const samples: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const { cpu } = await measure(service, postmaster, reads, SECONDS);
      if (round > 0) samples.push(cpu);
    }
    return median(samples);
  };
  const before = await cpuOfARead();
  await sleep(SETTLE_MS);
  const memory = await residentMb(service.pid);

  progress(`opening ${wanted} subscriptions`);
  /** When each version of the record arrived, by subscription. */
  const arrivals = new Map<number, number[]>();
  let open = 0;
  const follow = async (): Promise<void> => {
    const client = createClient({ url: `${service.url}/graphql`, headers, retryAttempts: 0 });
    const events = client.iterate({ query: SUBSCRIPTION });
    const first = events.next();
    open += 1;
    for (let next = await first; !next.done; next = await events.next())
      for (const { registro } of (next.value as Told).data?.mudancas.data ?? [])
        arrivals.set(registro.versao, [...(arrivals.get(registro.versao) ?? []), performance.now()]);
  };
  const broken: unknown[] = [];
  while (open < wanted) {
    for (let i = 0; i < AT_A_TIME && open < wanted; i++) follow().catch(error => broken.push(error));
    await sleep(100);
  }
  await sleep(SETTLE_MS);
  const grown = (await residentMb(service.pid)) - memory;
  const during = await cpuOfARead();

  const ways: number[] = [];
  let reached = 0;
  for (let i = 0; i < CHANGES; i++) {
    const response = await fetch(`${service.url}/almoxarifadoquimicos/tipos-empresas/1`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ descricao: `Tipo ${i}`, obriga_cnpj: 'N' }),
    });
    const committed = performance.now();
    if (!response.ok) throw new Error(await response.text());
    const versao = Number(/\d+/.exec(response.headers.get('etag')!)![0]);
    await sleep(PAUSE_MS + wanted / 20);
    const moments = arrivals.get(versao) ?? [];
    reached += moments.length;
    ways.push(...moments.map(moment => Math.max(0, moment - committed)));
  }
  const sorted = ways.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(0);
  console.log(
    `${wanted} subscriptions over events, ${broken.length} broken off: ${grown.toFixed(0)} MB more.`,
  );
  console.log(`A single read: ${before.toFixed(3)} ms of CPU without them, ${during.toFixed(3)} with them.`);
  console.log(
    `${CHANGES} changes, ${reached} of ${CHANGES * wanted} arrivals in time; from the answer of the write to the arrival: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms.`,
  );
} finally {
  for (const end of ends.toReversed()) await end();
}
process.exit();
