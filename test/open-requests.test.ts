import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hold, makeCaller } from './support/administration.ts';
import { makeKey, makeSystem } from './support/api-keys.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { makeProfile } from './support/permissions.ts';
import { startService, useService } from './support/service.ts';
import { makeBatch } from './support/stock.ts';

const service = useService({ WEBHOOK_KEY: 'x'.repeat(48), WEBHOOK_ALLOW: '127.0.0.1' });
afterEach(() => {
  vi.restoreAllMocks();
});

type Caller = Awaited<ReturnType<typeof makeCaller>>;
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);
const endSession = ({ idPessoa }: Caller) =>
  sql('update sessao set encerrada_em = now() where id_pessoa = $1', [idPessoa]);
const takeLevels = ({ idPessoa }: Caller) => sql('delete from permissao where id_pessoa = $1', [idPessoa]);
const loginOf = async ({ idPessoa }: Caller) =>
  (await sql('select usuario from pessoa where id = $1', [idPessoa]))[0]![0] as string;

/**
 * Sends half of a body, waits until the service has let the request in, does something else, and sends the other half.
 * Returns the status.
 */
async function halfway(
  { url, headers }: Client,
  [method, path, body]: readonly [string, string, unknown],
  between: () => Promise<unknown>,
  at = service(),
): Promise<number> {
  const found = vi.spyOn(at.services.sessions, 'find');
  const bytes = Buffer.from(JSON.stringify(body));
  const length = { 'content-type': 'application/json', 'content-length': bytes.length };
  const sent = request(url + path, { method, headers: { ...systemHeaders, ...headers, ...length } });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const half = bytes.length >> 1;
  sent.write(bytes.subarray(0, half));
  await eventually(() => expect(found.mock.settledResults[0]?.type).toBe('fulfilled'));
  await between();
  sent.end(bytes.subarray(half));
  const [response] = await answered;
  await json(response);
  return response.statusCode!;
}

type Asked = readonly [method: string, path: string, body: unknown];
interface Write {
  /** Controller and level that it needs. */
  needs: readonly (readonly [controller: string, nivel: number])[];
  ask: (caller: Caller) => Promise<Asked>;
  /** SQL of all that it might change. */
  shows: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hook = { url: 'http://127.0.0.1:9/x', eventos: ['material.criado'] };

const writes: Record<string, Write> = {
  'an upload': {
    needs: [['arquivosdigitais/arquivos-digitais', 2]],
    ask: async () => {
      const file = { id_tabela_origem: 7, nome_tabela_origem: 'x', nome: 'a.txt', tipo_mime: 'text/plain' };
      return ['POST', '/arquivosdigitais/arquivos-digitais', { ...file, conteudo: base64('olá'.repeat(90)) }];
    },
    shows: 'select count(*)::int from arquivo_digital',
  },
  'an import': {
    needs: [['almoxarifadoquimicos/tipos-empresas', 3]],
    ask: async () => {
      const conteudo = base64('descricao;obriga_cnpj\r\nImportada tarde;N\r\n');
      const file = { registros: 'tipos-empresa', nome_arquivo: 'a.csv', conteudo };
      return ['POST', '/institucional/importacoes', file];
    },
    shows: 'select (select count(*)::int from importacao), (select count(*)::int from tipo_empresa)',
  },
  'an entry of stock': {
    needs: [['almoxarifadoquimicos/estoques', 2]],
    ask: async () => {
      const { id: id_lote, id_local } = await makeBatch(service());
      const cell = { id_lote, id_local_fim: id_local, id_local_armazenado: id_local };
      return ['POST', '/almoxarifadoquimicos/estoques', { ...cell, quantidade: 1 }];
    },
    shows: 'select count(*)::int, sum(quantidade)::text from estoque',
  },
  'a movement': {
    needs: [['almoxarifadoquimicos/movimentacoes-estoque', 2]],
    ask: async () => {
      const { id: id_lote, id_local: id_local_origem_fim } = await makeBatch(service());
      const one = { id_lote, id_local_origem_fim, id_tipo_movimentacao: 4, quantidade: 1, fl_estorno: 'N' };
      return ['POST', '/almoxarifadoquimicos/movimentacoes-estoque', { movimentacoes: [one] }];
    },
    shows: 'select count(*)::int, (select sum(quantidade)::text from estoque) from movimentacao',
  },
  'a new record': {
    needs: [['almoxarifadoquimicos/tipos-empresas', 2]],
    ask: async () => [
      'POST',
      '/almoxarifadoquimicos/tipos-empresas',
      { descricao: randomUUID(), obriga_cnpj: 'N' },
    ],
    shows: 'select count(*)::int from tipo_empresa',
  },
  'a change of news': {
    needs: [['institucional/noticias', 2]],
    ask: async () => {
      const [[id]] = (await sql('select min(id) from noticia')) as [[number]];
      return ['PUT', `/institucional/noticias/${id}`, { fixada: true }];
    },
    shows: 'select count(*)::int from noticia where fixada',
  },
  'a change of a webhook': {
    needs: [
      ['institucional/webhooks', 3],
      ['almoxarifadoquimicos/materiais', 1],
    ],
    ask: async caller => {
      const admin = await service().as('admin');
      const { status, body } = await admin.post('/institucional/webhooks', hook);
      expect(status).toBe(201);
      await sql('update webhook set id_pessoa = $1 where id = $2', [caller.idPessoa, body.id]);
      return ['PUT', `/institucional/webhooks/${body.id}`, { ...hook, url: 'http://127.0.0.1:9/y' }];
    },
    shows: `select count(*)::int from webhook where url like '%/y'`,
  },
  'a change of an account': {
    needs: [['institucional/usuarios-ldap', 3]],
    ask: async () => {
      const [[email]] = (await sql('select min(email) from conta_gerencial')) as [[string]];
      const path = `/institucional/usuarios-ldap/${email}?editarContasGerenciais=true`;
      return ['PUT', path, { descricao: 'mudada tarde' }];
    },
    shows: `select count(*)::int from conta_gerencial where descricao = 'mudada tarde'`,
  },
};

const ways = [
  ['session ended', endSession, 401],
  ['levels were taken', takeLevels, 403],
] as const;
const callerFor = ({ needs }: Write): Promise<Caller> =>
  makeCaller(
    service(),
    needs.map(([controller, nivel]) => ({ controller, nivel })),
  );

describe.each(ways)(
  'a caller whose %s while the body of their request was on its way',
  (_how, revoke, status) => {
    it.each(Object.entries(writes))('does not get %s through', async (_what, write) => {
      const caller = await callerFor(write);
      const asked = await write.ask(caller);
      const before = await sql(write.shows);
      expect(await halfway(caller.client, asked, () => revoke(caller))).toBe(status);
      expect(await sql(write.shows)).toEqual(before);
    });

    it('moves no stock at another process, which never saw their session', async () => {
      const write = writes['a movement']!;
      const other = await startService({}, service());
      try {
        const caller = await callerFor(write);
        expect((await caller.client.get('/almoxarifadoquimicos/movimentacoes-estoque')).status).toBe(200);
        const asked = await write.ask(caller);
        const before = await sql(write.shows);
        const there = other.anyone.with(caller.client.headers);
        expect(await halfway(there, asked, () => revoke(caller), other)).toBe(status);
        expect(await sql(write.shows)).toEqual(before);
      } finally {
        await other.stop();
      }
    });
  },
);

it('a request whose caller keeps their rights is done, however slowly its body comes', async () => {
  for (const write of Object.values(writes)) {
    const caller = await callerFor(write);
    const before = await sql(write.shows);
    const asked = await write.ask(caller);
    expect(await halfway(caller.client, asked, async () => {})).toBeLessThan(300);
    expect(await sql(write.shows)).not.toEqual(before);
    vi.restoreAllMocks();
  }
});

it('a chunked body is read once, although the mutation runs again with other rights', async () => {
  const write = writes['a new record']!;
  const caller = await callerFor(write);
  expect((await caller.client.get('/almoxarifadoquimicos/tipos-empresas')).status).toBe(200);
  const materials = [{ controller: 'almoxarifadoquimicos/materiais', nivel: 1 }];
  await hold(service(), caller.idPessoa, await makeProfile(service(), { itens: materials }));
  const [method, path, body] = await write.ask(caller);
  const sent = request(service().url + path, {
    method,
    headers: { ...caller.client.headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([response.statusCode, await json(response)]).toEqual([201, expect.objectContaining(body as object)]);
});

it('a stolen token does not set a password after the administrator has set a new one', async () => {
  const admin = (await service().as('admin')).with(systemHeaders);
  const victim = await makeCaller(service(), []);
  const username = await loginOf(victim);
  const theirs = { username, password: 'a senha de quem roubou' };
  const set = async () => {
    const { status } = await admin.put('/auth/senha', { username, password: 'a senha que vale agora' });
    expect(status).toBe(200);
  };
  expect(await halfway(victim.client, ['PUT', '/auth/senha', theirs], set)).toBe(401);
  const opens = async (password: string) =>
    (await service().anyone.with(systemHeaders).post('/auth/login', { username, password })).status;
  expect([await opens(theirs.password), await opens('a senha que vale agora')]).toEqual([401, 200]);
});

it('an upload ends with 401 if the API key of its system was revoked meanwhile', async () => {
  const system = await makeSystem(service());
  const { id, chave } = await makeKey(service(), system);
  const write = writes['an upload']!;
  const caller = await callerFor(write);
  const client = caller.client.with({ 'app-name': system.sigla, 'api-key': chave });
  const before = await sql(write.shows);
  const revoke = () => sql('update chave_api set revogada_em = now() where id = $1', [id]);
  expect(await halfway(client, await write.ask(caller), revoke)).toBe(401);
  expect(await sql(write.shows)).toEqual(before);
});

describe.each(ways)('a caller whose %s while their mutation waited for its turn', (_how, revoke, status) => {
  const minimum = (id: number) =>
    `definirEstoqueMinimo(input: { idMaterial: ${id}, idLocal: 1, quantidade: 3 }) { id }`;
  const count = 'select count(*)::int from estoque_minimo';

  it.each([false, true])('changes nothing by GraphQL (a query before it: %s)', async isKnown => {
    const caller = await makeCaller(service(), [
      { controller: 'almoxarifadoquimicos/estoques-minimos', nivel: 2 },
    ]);
    if (isKnown) await caller.client.graphql('{ sessaoAtual { id } }');
    const { turns } = service().services;
    const run = turns.run.bind(turns);
    vi.spyOn(turns, 'run').mockImplementationOnce(async (claim, work) => {
      await revoke(caller);
      return run(claim, work);
    });
    const [[material]] = (await sql(
      'select max(id) from material where id not in (select id_material from estoque_minimo)',
    )) as [[number]];
    const before = await sql(count);
    const { errors } = await caller.client.graphql(`mutation { ${minimum(material)} }`);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([
      status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN',
    ]);
    expect(await sql(count)).toEqual(before);
  });
});
