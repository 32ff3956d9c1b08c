import { ormOptions } from './src/database/orm.ts';
import { Servers } from './src/database/servers.ts';

/** For MikroORM's command line (`npm run migration:create`); the service itself reads its environment in `src/main.ts`. */
const options = await ormOptions({
  servers: new Servers(process.env['DATABASE_URL'] ?? 'postgresql://localhost:5432/sii'),
  pool: 2,
  statementTimeoutMs: 60_000,
  timeZone: 'America/Sao_Paulo',
});

export default {
  ...options,
  migrations: { ...options.migrations, snapshot: true, snapshotName: 'snapshot' },
};
