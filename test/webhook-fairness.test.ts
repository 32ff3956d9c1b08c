import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebhookDeliverer } from '../src/webhooks/deliverer.ts';
import { systemNames } from '../src/webhooks/names.ts';
import type { Client } from './support/client.ts';
import { useNameserver } from './support/nameserver.ts';
import { eventually } from './support/process.ts';
import { useReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

const service = useService({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: 'k'.repeat(32) });
const receiver = useReceiver();
const nameserver = useNameserver(
  new Map<string, string[] | 'missing'>([
    ['healthy.example', ['127.0.0.1']],
    ['localhost.example', 'missing'],
  ]),
);
/** More than a process has places for deliveries at a time. */
const MANY = 18;

let admin: Client;
let deliverer: WebhookDeliverer | undefined;
beforeAll(async () => {
  admin = await service().as('admin');
});
afterEach(async () => {
  await deliverer?.stop();
  await service().sql('delete from webhook');
});

/** Receivers that do not answer are given up only when the test has ended. */
function start(): void {
  deliverer = new WebhookDeliverer(service().services, {
    resolve: (name, stop) => systemNames(name, stop, [nameserver()]),
    exchangeMs: 600_000,
    drainMs: 0,
  });
  deliverer.start();
}

async function follow(url: string): Promise<void> {
  const { status } = await admin.post('/institucional/webhooks', { url, eventos: ['tipo_empresa.criado'] });
  expect(status).toBe(201);
}

let made = 0;
async function happen(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const body = { descricao: `empresa ${(made += 1)}`, obriga_cnpj: 'N' };
    expect((await admin.post('/almoxarifadoquimicos/tipos-empresas', body)).status).toBe(201);
  }
}

const got = (path: string): number => receiver.got(path).length;

describe('a webhook is not kept waiting', () => {
  it('by receivers that hang', async () => {
    for (let n = 0; n < MANY; n++) {
      receiver.answers(`/hangs-${n}`, () => {});
      await follow(receiver.at(`/hangs-${n}`));
    }
    await follow(receiver.at('/healthy'));
    await happen(6);
    start();
    await eventually(() => expect(got('/healthy')).toBe(6));
    await happen(6);
    await eventually(() => expect(got('/healthy')).toBe(12));
  });

  it('by receivers that refuse, and hang then', async () => {
    for (let n = 0; n < MANY; n++) {
      const path = `/refuses-${n}`;
      receiver.answers(path, res => {
        if (got(path) <= 4) res.writeHead(500).end();
      });
      await follow(receiver.at(path));
    }
    await follow(receiver.at('/accepts'));
    await happen(8);
    start();
    await eventually(() => expect(got('/accepts')).toBe(8));
    for (let n = 0; n < MANY; n++) await eventually(() => expect(got(`/refuses-${n}`)).toBe(5));
    await happen(6);
    await eventually(() => expect(got('/accepts')).toBe(14));
  });

  it.each(['healthy.example', 'localhost'])(
    'for its name %s by names whose nameserver is silent',
    async name => {
      for (let n = 0; n < MANY; n++) await follow(receiver.at('/nowhere', `silent-${n}.example`));
      const path = `/at-${name}`;
      await follow(receiver.at(path, name));
      await happen(6);
      start();
      await eventually(() => expect(got(path)).toBe(6));
      expect(receiver.got('/nowhere')).toEqual([]);
    },
  );
});

it('a name that the DNS does not have is asked of the system', async () => {
  const stop = new AbortController();
  await expect(systemNames('localhost.example', stop.signal, [nameserver()])).rejects.toMatchObject({
    syscall: 'getaddrinfo',
  });
});
