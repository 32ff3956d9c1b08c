import { test, inject } from 'vitest';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { closeServices, openServices } from '../src/services.ts';
import { cloneDatabase } from './support/clone.ts';
test('x', async () => {
  for (let i = 0; i < 5; i++) {
    const t = [performance.now()];
    const c = process.cpuUsage();
    const mark = () => t.push(performance.now());
    const db = await cloneDatabase(); mark();
    const services = await openServices(readConfig({ DATA_DIR: inject('dataDir') }), db.url, pino({ level: 'silent' })); mark();
    const schema = await createSchema(); mark();
    await createApp(services, schema); mark();
    await closeServices(services); mark();
    await db.drop(); mark();
    const u = process.cpuUsage(c);
    console.log(['clone', 'open', 'schema', 'app', 'close', 'drop'].map((n, k) => `${n} ${(t[k + 1]! - t[k]!) | 0}`).join(' '), 'cpu', (u.user/1000)|0, (u.system/1000)|0);
  }
}, 60000);
