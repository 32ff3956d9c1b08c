import { expect, it, vi } from 'vitest';
import { BehindProxy } from './support/behind-proxy.ts';
import { eventually } from './support/eventually.ts';
import { onLdap } from './support/directories.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { hasSlapd } from './support/ldap-server.ts';
import { startService, useService } from './support/service.ts';
import { nextChanges, nextPage, transports } from './support/subscriptions.ts';

const beside = useService();

/** Changes the stored times as if this time had passed. */
async function after(ms: number, work: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  try {
    await work();
  } finally {
    later.mockRestore();
  }
}

it.each([60_000, 2_000])(
  'after a firewall drops connections to the database that are idle for %i ms, no request fails',
  async ms => {
    const all = await BehindProxy.start(beside(), 'tecnico');
    try {
      const { kinds, proxy } = all;
      await Promise.all([...all.each(), ...Array.from({ length: 8 }, () => kinds['read']!())]);
      expect((await all.pool).idleCount).toBeGreaterThan(0);
      await after(ms, async () => {
        proxy.forget();
        const answers = await Promise.all(Object.values(kinds).map(send => send()));
        expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 200]);
      });
    } finally {
      await all.stop();
    }
  },
);

it.runIf(hasSlapd())(
  'after a firewall drops an idle connection to the directory, no request fails',
  async () => {
    const directory = await onLdap();
    const { environment } = directory.server;
    const { proxy, url } = await FaultProxy.before(environment['LDAP_URL']!);
    const service = await startService({ ...environment, LDAP_URL: url }, directory.service);
    try {
      const admin = await service.as('admin');
      const read = () => admin.get('/institucional/usuarios-ldap?email=tecnico@universidade.example');
      expect((await read()).status).toBe(200);
      await after(60_000, async () => {
        proxy.forget();
        expect((await read()).status).toBe(200);
      });
    } finally {
      await service.stop();
      await proxy.stop();
      await directory.stop();
    }
  },
);

it('after a firewall drops the connection that listens for changes, subscribers get what others write', async () => {
  const all = await BehindProxy.start(beside(), 'tecnico');
  const listening = async (): Promise<number[]> =>
    (
      await beside().sql(
        `select client_port from pg_stat_activity where application_name = 'sii-changes' and client_port = any($1)`,
        [all.proxy.openPorts],
      )
    ).map(([port]) => Number(port));
  try {
    const subscription = transports['server-sent events']!(all.admin, { tabelas: ['icone_risco'] });
    await nextPage(subscription);
    await eventually(async () => expect(await listening()).toHaveLength(1));
    const [silent] = await listening();
    all.proxy.forget(silent);
    const other = await beside().as('admin');
    const write = async (): Promise<void> => {
      const { status, body } = await other.post('/almoxarifadoquimicos/icones-risco', { nome: 'Ícone' });
      expect(status).toBe(201);
      const [change] = await nextChanges(subscription, 1);
      expect(change).toMatchObject({ registro: { id: body.id } });
    };
    await eventually(async () => {
      await write();
      const ports = await listening();
      expect(ports.filter(port => port !== silent)).toHaveLength(1);
    });
    await write();
  } finally {
    await all.stop();
  }
}, 30_000);
