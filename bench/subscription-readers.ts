import { createClient } from 'graphql-sse';
import { setTimeout as sleep } from 'node:timers/promises';

/** Subscriptions that are opened at once. */
const AT_A_TIME = 50;

const SUBSCRIPTION = 'subscription { mudancas(tabelas: ["tipo_empresa"]) { data { registro { versao } } } }';

/** A message of the readers to the process that measures. */
export type Report =
  | { open: number; broken: number }
  /** When a version of the record arrived, as `performance.timeOrigin + performance.now()`, in ms. */
  | { version: number; moment: number };

interface EventData {
  data?: { mudancas: { data: { registro: { versao: number } }[] } };
}

// The readers run in their own process, so that they take no time from the one that measures.
const [url, wanted, headers] = process.argv.slice(2) as [string, string, string];
const client = createClient({
  url,
  headers: JSON.parse(headers) as Record<string, string>,
  retryAttempts: 0,
});
const send = (report: Report): void => void process.send!(report);

let open = 0;
let broken = 0;

async function follow(): Promise<void> {
  const events = client.iterate({ query: SUBSCRIPTION });
  const first = events.next();
  open += 1;
  for (let next = await first; !next.done; next = await events.next())
    for (const { registro } of (next.value as EventData).data?.mudancas.data ?? [])
      send({ version: registro.versao, moment: performance.timeOrigin + performance.now() });
}

while (open < Number(wanted)) {
  for (let i = 0; i < AT_A_TIME && open < Number(wanted); i++) follow().catch(() => (broken += 1));
  await sleep(100);
}
await sleep(1_000);
send({ open, broken });
