import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Successes } from './successes.ts';

const EVERY_MS = 50;
const PATIENCE_MS = 1_000;

/**
 * Asks each server directly, so that the report can tell how long there was no primary, and how long the service needed
 * beyond that.
 */
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
      // It is written to the log, so its commit waits for a standby. A standby refuses it.
      this.#ask(port, `select pg_logical_emit_message(true, 'probe', '') is null as no`, this.writes),
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
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
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
      // A server that is silent would not answer this either.
      void client.end().catch(() => undefined);
    }
  }
}
