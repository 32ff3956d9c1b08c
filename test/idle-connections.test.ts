import { expect, it, vi } from 'vitest';
import { BehindProxy } from './support/behind-proxy.ts';
import { onLdap } from './support/directories.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { hasSlapd } from './support/ldap-server.ts';
import { startService, useService } from './support/service.ts';

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
