import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map(client => client.end())));

async function connection(): Promise<Client> {
  const client = new Client({ connectionString: service().databaseUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const WRITTEN = 400;

it('the numbering of changes does not step over the entries of a long transaction that still runs', async () => {
  const [long, other] = [await connection(), await connection()];
  const last = async (): Promise<number> =>
    Number((await other.query('select ultima from historia_mudancas')).rows[0].ultima);
  await long.query('begin');
  await long.query(
    `insert into tipo_empresa (descricao, obriga_cnpj) select 'long ' || i, 'N' from generate_series(1, ${WRITTEN}) i`,
  );
  // The numbering that sees this write also sees that the other transaction runs.
  await other.query(`update icone_risco set nome = nome || '.' where id = 1`);
  await other.query('select numerar_mudancas()');
  const before = await last();
  await other.query('begin; set local track_counts = on');
  await other.query('select numerar_mudancas()');
  const { rows } = await other.query(
    `select sum(pg_stat_get_xact_tuples_returned(i.indexrelid))::int as n
    from pg_inherits h join pg_index i on i.indrelid = h.inhrelid where h.inhparent = 'auditoria'::regclass`,
  );
  await other.query('commit');
  expect(rows[0].n).toBeLessThan(WRITTEN / 2);
  expect(await last()).toBe(before);
  await long.query('commit');
  await other.query('select numerar_mudancas()');
  expect(await last()).toBe(before + 1);
});
