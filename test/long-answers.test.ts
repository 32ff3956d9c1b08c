import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Pg } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { hold, makeCaller } from './support/administration.ts';
import { makeProfile } from './support/permissions.ts';
import { useService } from './support/service.ts';

const service = useService();
/** The answers are far larger than what sockets and streams of both sides hold, some 10 MB. */
const MANY = 60_000;
/** After this time the service looks at the rights again. */
const LATER_MS = 1_100;
const LIST = 'institucional/funcionarios-ativos';
const MATERIALS = 'almoxarifadoquimicos/materiais';

type Caller = Awaited<ReturnType<typeof makeCaller>>;
const sql = (query: string, values: unknown[] = []) => service().sql(query, values);

/** Runs without triggers, because many rows change. */
async function quickly(...statements: string[]): Promise<void> {
  const pg = new Pg({ connectionString: service().databaseUrl });
  await pg.connect();
  await pg.query('set session_replication_role = replica; set statement_timeout = 0');
  for (const statement of statements) await pg.query(statement);
  await pg.end();
}

beforeAll(() =>
  quickly(
    `insert into funcionario (cpf, nome_civil, natureza_juridica, ultima_alteracao)
     select lpad((10000000000 + n)::text, 11, '0'), 'Nome ' || n || repeat('x', 150), 'Estatutário', now()
     from generate_series(1, ${MANY}) n`,
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select 'Material ' || n, string_agg(md5(n || '-' || i), ' '), 'S', 1
     from generate_series(1, ${MANY}) n, generate_series(1, 30) i group by n`,
  ),
);

const reader = (): Promise<Caller> =>
  makeCaller(
    service(),
    [LIST, MATERIALS].map(controller => ({ controller, nivel: 1 })),
  );

/** What a client gets that stops after the first bytes, while something happens, and reads on later. */
async function readLater(
  { client }: Caller,
  path: string,
  meanwhile: () => Promise<unknown>,
): Promise<{ body: string; isWhole: boolean }> {
  const request = get(service().url + path, { headers: client.headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  expect(response.statusCode).toBe(200);
  let body = '';
  response.setEncoding('latin1').on('data', chunk => (body += chunk));
  await once(response, 'data');
  response.pause();
  await meanwhile();
  response.resume();
  const isWhole = await new Promise<boolean>(resolve => {
    response.on('end', () => resolve(response.complete)).on('error', () => resolve(false));
  });
  return { body, isWhole };
}

const changeAll = (word: string): Promise<void> =>
  quickly(`update funcionario set nome_civil = '${word} ' || id || repeat('x', 150)`);

describe.each([
  [
    'session has ended',
    ({ idPessoa }: Caller) => sql('update sessao set encerrada_em = now() where id_pessoa = $1', [idPessoa]),
  ],
  [
    'right was taken away',
    ({ idPessoa }: Caller) => sql('delete from permissao where id_pessoa = $1', [idPessoa]),
  ],
])('a client whose %s while it reads', (_how, revoke) => {
  it.each([
    ['a whole list', `/${LIST}?pagination=false`],
    ['a csv', `/${MATERIALS}?export=true`],
    ['an xlsx', `/${MATERIALS}?export=true&formatoPlanilha=xlsx`],
  ])('does not get the rest of %s', async (_what, path) => {
    const caller = await reader();
    const changed = randomUUID();
    const { body, isWhole } = await readLater(caller, path, async () => {
      await revoke(caller);
      await sleep(LATER_MS);
      if (path.includes(LIST)) await changeAll(changed);
    });
    expect(isWhole).toBe(false);
    expect(body.includes(changed)).toBe(false);
  });
});

it('a client who keeps the session and gets another right reads the list to its end', async () => {
  const caller = await reader();
  const { body, isWhole } = await readLater(caller, `/${LIST}?pagination=false`, async () => {
    const itens = [{ controller: 'almoxarifadoquimicos/lotes', nivel: 1 }];
    await hold(service(), caller.idPessoa, await makeProfile(service(), { itens }));
    await sleep(LATER_MS);
  });
  expect(isWhole).toBe(true);
  expect(JSON.parse(body).data.length).toBeGreaterThan(MANY);
});
