import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { acceptSockets } from '../../src/graphql/web-sockets.ts';
import { refuse } from '../../src/http/raw-refusal.ts';
import { httpServer } from '../../src/http/server.ts';
import { type Services } from '../../src/request/services.ts';
import { closeServices, openServices } from '../../src/services.ts';
import { Client } from './client.ts';
import { cloneDatabase } from './clone.ts';

/** A service for this test file, on a separate database with the demo data. */
export class TestService {
  readonly #clients = new Map<string, Promise<Client>>();

  constructor(
    readonly url: string,
    readonly databaseUrl: string,
    readonly services: Services,
    private readonly close: () => Promise<void>,
  ) {}

  /** A client that is not logged in. */
  get anyone(): Client {
    return new Client(this.url);
  }

  /** A demo user's client; logs in once. */
  as(usuario: string): Promise<Client> {
    const known = this.#clients.get(usuario) ?? this.anyone.login(usuario);
    this.#clients.set(usuario, known);
    return known;
  }

  async sql(text: string, values: unknown[] = []): Promise<unknown[][]> {
    return this.services.listing.reader.rows(text, values);
  }

  stop(): Promise<void> {
    return this.close();
  }
}

/** A service on a separate database, or a further one on an existing database, like a second process. */
export async function startService(
  environment: NodeJS.ProcessEnv = {},
  beside?: Pick<TestService, 'databaseUrl'>,
  log: Logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
): Promise<TestService> {
  const database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await cloneDatabase();
  // In tests, a few people send many requests at the same time, some of them as through a proxy.
  const usual = { DATA_DIR: inject('dataDir'), MAX_REQUESTS_PER_PERSON: '1000', DEMO: 'true' };
  const config = readConfig({ ...usual, ...environment });
  const services = await openServices(config, database.url, log);
  // Longer than any test computes between two requests, because requests share connections.
  const timeouts = { keepAliveTimeout: 120_000 };
  const schema = await createSchema();
  const app = await createApp(services, schema);
  const server = httpServer(timeouts, app, services);
  acceptSockets(server, app, services, schema, refuse);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new TestService(url, database.url, services, async () => {
    server.closeAllConnections();
    server.close();
    await closeServices(services);
    await database.drop();
  });
}

/** The service of a test file, started before its tests and stopped after them. */
export function useService(environment: NodeJS.ProcessEnv = {}): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startService(environment);
  });
  afterAll(() => service?.stop());
  return () => service!;
}
