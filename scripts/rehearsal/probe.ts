import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Successes } from './successes.ts';

const EVERY_MS = 50;
const TIMEOUT_MS = 1_000;

/** Queries each server directly, so that the report shows how long there was no primary, without the service. */
export class Probe {
  /** A primary answered. */
  readonly reads = new Successes();
  /** A transaction was committed, and a standby has it. */
  readonly writes = new Successes();
  #isOver = false;
  readonly #asking: Promise<void>[];

  constructor(ports: readonly number[]) {
    this.#asking = ports.flatMap(port => [
      this.#ask(port, 'select pg_is_in_recovery() as no', this.reads),
      // It writes to the write-ahead log, so its commit waits for a standby. A standby would log an error, so it is left out.
      this.#ask(
        port,
        `select case when pg_is_in_recovery() then true else pg_logical_emit_message(true, 'probe', '') is null end as no`,
        this.writes,
      ),
    ]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#asking);
  }

  async #ask(port: number, text: string, successes: Successes): Promise<void> {
    while (!this.#isOver) {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: 'postgres',
        database: 'postgres',
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        while (!this.#isOver) {
          const { rows } = await client.query<{ no: boolean }>(text);
          if (!rows[0]!.no) successes.note();
          await sleep(EVERY_MS);
        }
      } catch {
        await sleep(EVERY_MS);
      }
      // Not awaited: a server that is silent would not answer this either.
      void client.end().catch(() => undefined);
    }
  }
}
