import { beforeEach, describe, expect, it, vi } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const SITE = 'https://studio.apollographql.com';
const service = useService({ CORS_ORIGINS: SITE });
const kinds = '/almoxarifadoquimicos/tipos-empresas';
const companies = '/almoxarifadoquimicos/empresas';
const authors = { criado_por: 1, alterado_por: 1 };

/** A company of a separate type. */
let client: Client;
let kind: string;
let company: string;

beforeEach(async () => {
  client = (await service().as('almoxarife')).with({ 'accept-encoding': 'gzip' });
  const made = await client.post(kinds, { descricao: 'Fabricante', obriga_cnpj: 'N' });
  kind = made.headers.get('location')!;
  const body = { nome: 'Química', cnpj: null, id_tipo_empresa: made.body.id, ...authors };
  company = (await client.post(companies, body)).headers.get('location')!;
});

const tagOf = async (path: string): Promise<string> => (await client.get(path)).headers.get('etag')!;
const having = (tags: string) => client.with({ 'if-none-match': tags });
const seeing = (tags: string) => client.with({ 'if-match': tags });

describe('a read', () => {
  it('has a strong tag, the same each time and with HEAD, and is stored by no cache', async () => {
    const { headers, body } = await client.get(company);
    expect(headers.get('etag')).toMatch(/^"1-[0-9a-f]{8}-[0-9a-f]{32}"$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).not.toHaveProperty('versao');
    const head = await fetch(client.url + company, { method: 'HEAD', headers: client.headers });
    expect(head.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('is 304, without a body, for a client that already has it', async () => {
    const tag = await tagOf(company);
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await having(tags).get(company);
      expect({ status, tag: headers.get('etag'), body }, tags).toEqual({ status: 304, tag, body: '' });
      expect((await having(tags).raw(company, { method: 'HEAD' })).status).toBe(304);
    }
    for (const tags of ['"other"', '', tag.slice(1, -1), tag.replace('"1-', '"2-')])
      expect((await having(tags).get(company)).status, tags).toBe(200);
  });

  it('is never 304 for a client without the permission or without a token', async () => {
    const tag = await tagOf(company);
    expectProblem(await service().anyone.with({ 'if-none-match': tag }).get(company), 401, 'UNAUTHENTICATED');
    const discente = await service().as('discente');
    expectProblem(await discente.with({ 'if-none-match': tag }).get(company), 403, 'FORBIDDEN');
    await client.delete(company);
    expectProblem(await having('*').get(company), 404, 'NOT_FOUND');
  });

  it('has another tag but the same version after a change of a linked record that it shows', async () => {
    const before = await tagOf(company);
    await client.put(kind, { descricao: 'Importador' });
    const answer = await having(before).get(company);
    expect(answer).toMatchObject({ status: 200, body: { tipo_empresa: { descricao: 'Importador' } } });
    expect(answer.headers.get('etag')).toMatch(/^"1-/);
    const body = { nome: 'Outra', cnpj: null, id_tipo_empresa: answer.body.id_tipo_empresa, ...authors };
    expect((await seeing(before).put(company, body)).status).toBe(200);
  });

  it('of a list has a tag that changes with what it shows', async () => {
    const path = `${companies}?pagination=true&itemsPerPage=1000`;
    const tag = await tagOf(path);
    // The tag is weak, because the list is long enough to be compressed.
    expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect((await having(tag).get(path)).status).toBe(304);
    await client.put(kind, { descricao: 'Importador' });
    expect((await having(tag).get(path)).status).toBe(200);
  });

  it('of the directory, of own records and of files has a tag as well', async () => {
    const admin = (await service().as('admin')).with(systemHeaders);
    const paths = [
      '/institucional/usuarios-ldap/admin@universidade.example',
      '/permissoes/menu_lateral',
      '/permissoes/autenticacoes',
      '/arquivosdigitais/arquivos-digitais/1',
      '/almoxarifadoquimicos/locais?trazerTecnicos=true',
    ];
    for (const path of paths) {
      const { headers } = await admin.get(path);
      const again = await admin.with({ 'if-none-match': headers.get('etag')! }).get(path);
      expect(again.status, path).toBe(304);
    }
  });
});

describe('a document', () => {
  const plan = '/academico/planos-ensino/gerar-pdf/1';

  it('is not made again for a client that has it, until what it shows changes', async () => {
    const admin = await service().as('admin');
    const { headers } = await admin.raw(plan, {});
    expect(headers.get('etag')).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(headers.get('cache-control')).toBe('no-store');
    const again = () => admin.with({ 'if-none-match': headers.get('etag')! }).raw(plan, {});
    const { pdf } = service().services;
    const written = vi.spyOn(pdf, 'write');
    expect([(await again()).status, written.mock.calls.length]).toEqual([304, 0]);
    await service().sql(`update plano_ensino set ementa = 'Outra ementa.' where id = 1`);
    const changed = await again();
    expect([changed.status, written.mock.calls.length]).toEqual([200, 1]);
    expect(changed.headers.get('etag')).not.toBe(headers.get('etag'));
    written.mockRestore();
  });

  it('is never 304 for who may not read it', async () => {
    const any = { 'if-none-match': '*' };
    expectProblem(await service().anyone.with(any).get(plan), 401, 'UNAUTHENTICATED');
    const discente = (await service().as('discente')).with(any);
    expectProblem(await discente.get(plan), 403, 'FORBIDDEN');
  });
});

describe('a write', () => {
  it('answers the tag that the next read has', async () => {
    const created = await client.post(kinds, { descricao: 'Nova', obriga_cnpj: 'N' });
    const path = created.headers.get('location')!;
    expect(created.headers.get('etag')).toBe(await tagOf(path));
    const changed = await client.put(path, { descricao: 'Mudada' });
    expect(changed.headers.get('etag')).toBe(await tagOf(path));
    expect(changed.headers.get('etag')).not.toBe(created.headers.get('etag'));
    expect((await client.delete(path)).headers.get('etag')).toBeNull();
  });

  it('is done if one of the tags is current, or if any tag is accepted', async () => {
    const bare = (tag: string) => tag.replace(/-.*"/, '"');
    const forms = [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"0-x",, ${tag} , "other"`,
      (tag: string) => tag.replace(/"$/, '-gzip"'),
      bare,
      () => '*',
    ];
    for (const [i, form] of forms.entries()) {
      const tags = form(await tagOf(kind));
      expect((await seeing(tags).put(kind, { descricao: `Tipo ${i}` })).status, tags).toBe(200);
    }
  });

  it('is refused if no tag is current, and the answer says what to do', async () => {
    const old = await tagOf(kind);
    await client.put(kind, { descricao: 'Mudada' });
    for (const tags of [old, `${old}, "x"`, '"x"', '""', '"99999999999999999999-1"']) {
      const answer = await seeing(tags).put(kind, { descricao: 'Perdida' });
      expectProblem(answer, 412, 'PRECONDITION_FAILED');
      expect(answer.body.detail).toContain('Leia-o de novo');
      expectProblem(await seeing(tags).delete(kind), 412, 'PRECONDITION_FAILED');
    }
    expect((await client.get(kind)).body.descricao).toBe('Mudada');
  });

  it.each(['', ' , ', 'abc', '"a', '"a" "b"', '*, "a"', 'w/"a"', '"a" x', '"a b"'])(
    'is 400 when If-Match is not a list of tags: %j',
    async tags => {
      const answer = await seeing(tags).put(kind, { descricao: 'Mudada' });
      expectProblem(answer, 400, 'BAD_REQUEST');
      expect((await client.get(kind)).body.descricao).toBe('Fabricante');
    },
  );

  it('of something without a version is refused, not done unchecked', async () => {
    const body = { descricao: 'Outra', obriga_cnpj: 'N' };
    expectProblem(await seeing('"1-x"').post(kinds, body), 412, 'PRECONDITION_FAILED');
    expect((await seeing('*').post(kinds, body)).status).toBe(201);
    const admin = (await service().as('admin')).with(systemHeaders);
    const tag = '"1-x"';
    const password = { username: 'admin', password: 'uma-senha-nova-2026' };
    expectProblem(
      await admin.with({ 'if-match': tag }).put('/auth/senha', password),
      412,
      'PRECONDITION_FAILED',
    );
    expect((await service().anyone.login('admin')).headers['token']).toBeDefined();
  });

  it('is 404 for a deleted record, and 403 without the permission, whatever the tag', async () => {
    const tag = await tagOf(kind);
    const discente = (await service().as('discente')).with({ 'if-match': '"0-x"' });
    expectProblem(await discente.put(kind, { descricao: 'X' }), 403, 'FORBIDDEN');
    await client.delete(company);
    await client.delete(kind);
    expectProblem(await seeing(tag).put(kind, { descricao: 'X' }), 404, 'NOT_FOUND');
    expectProblem(await seeing('*').delete(kind), 404, 'NOT_FOUND');
  });

  it('that is sent again with its key gets the first answer, although its tag is old by now', async () => {
    const sender = seeing(await tagOf(kind)).with({ 'idempotency-key': 'once' });
    const first = await sender.put(kind, { descricao: 'Uma vez' });
    const again = await sender.put(kind, { descricao: 'Uma vez' });
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

describe('browsers on other sites', () => {
  it('may send If-Match and If-None-Match and read the tag', async () => {
    const site = service().anyone.with({ origin: SITE });
    const preflight = await site.raw(kind, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'if-match,if-none-match,token',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/if-match,\s?if-none-match/i);
    const { headers } = await site.with({ token: client.headers['token']! }).get(kind);
    expect(headers.get('access-control-expose-headers')).toContain('ETag');
  });
});

interface Documented {
  parameters: { name: string }[];
  responses: Record<string, { headers?: object }>;
}
interface Document {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, { properties?: Record<string, { type?: string }> }> };
}

describe('the documentation', () => {
  it('has the conditions and their answers where they apply, and versions in no body', async () => {
    const { paths, components } = (await service().anyone.get('/openapi.json')).body as Document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    );
    const named = (holds: (operation: Documented) => boolean) =>
      operations.filter(holds).map(operation => operation.name);
    const taking = (header: string) => named(({ parameters }) => parameters.some(p => p.name === header));
    const answering = (status: string) => named(({ responses }) => responses[status] !== undefined);
    const reads = operations.map(({ name }) => name).filter(name => name.startsWith('get '));
    expect(taking('If-None-Match')).toEqual(answering('304'));
    expect(reads.filter(name => !taking('If-None-Match').includes(name))).toEqual([]);
    // Some writes do not take a version. They refuse `If-Match`, because there is nothing to compare.
    const writes = operations.map(({ name }) => name).filter(name => !name.startsWith('get '));
    expect(answering('412')).toEqual(writes);
    expect(writes).toEqual(expect.arrayContaining(taking('If-Match')));
    expect(taking('If-Match')).toContain('put /almoxarifadoquimicos/empresas/{id}');
    expect(paths['/almoxarifadoquimicos/empresas']!['post']!.responses['201']!.headers).toHaveProperty(
      'ETag',
    );
    const shown = Object.entries(components.schemas).filter(([, { properties }]) => properties?.['versao']);
    // The `versao` of a system is the version that it sent at login, and that of a change is the version that the
    // change made.
    expect(shown.map(([name]) => name)).toEqual(['ParametroAcessoApi', 'RegistroMudado']);
  });
});
