import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../src/access/signature.ts';
import { everything, makeCaller, setSituacao } from './support/administration.ts';
import { makeKey, makeSystem, revokeKey } from './support/api-keys.ts';
import { Client, systemHeaders } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
/** Another process on the same database. */
let other: TestService;
const written: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: text => void written.push(text) });
  service = await startService({}, undefined, log);
  other = await startService({}, service, log);
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

const list = '/almoxarifadoquimicos/unidades-medida';
const sheet = '/almoxarifadoquimicos/materiais?export=true&titulo=%C3%A1cido';
const report = '/relatorios/almoxarifado-quimicos/materiais-controlados?pdf=true';
const files = '/arquivosdigitais/arquivos-digitais';

const someone = async (): ReturnType<typeof makeCaller> => makeCaller(service, everything);

const asked = (client: Client, caminho: string) =>
  client.graphql('query ($caminho: String!) { download(caminho: $caminho) { url validoAte } }', { caminho });

/** The signed address of a path. */
async function signed(client: Client, caminho: string): Promise<string> {
  const { data, errors } = await asked(client, caminho);
  expect(errors).toBeUndefined();
  return data.download.url;
}

describe('a signed address', () => {
  it('answers what the token answers, without headers, in every process', async () => {
    const { client } = await someone();
    for (const path of [sheet, `${sheet}&formatoPlanilha=xlsx`, report]) {
      const url = await signed(client, path);
      const whole = await client.get(path);
      expect(whole.status).toBe(200);
      for (const { anyone } of [service, other]) {
        const found = await anyone.get(url);
        expect(found.status).toBe(200);
        expect(found.headers.get('content-type')).toBe(whole.headers.get('content-type'));
        expect(found.headers.get('content-disposition')).toBe(whole.headers.get('content-disposition'));
        if (path === sheet) expect(found.body).toBe(whole.body);
      }
      expect((await service.anyone.raw(url, { method: 'HEAD' })).status).toBe(200);
    }
  });

  it('is below BASE_PATH once, whether its path was written with it or without', async () => {
    const below = await startService({ BASE_PATH: '/sii' }, service);
    try {
      const { client } = await someone();
      const here = new Client(below.url, client.headers);
      for (const path of [sheet, `/sii${sheet}`]) {
        const url = await signed(here, path);
        expect(url).toMatch(/^\/sii\/almox/);
        expect((await below.anyone.get(url)).status).toBe(200);
      }
      // Only the prefix itself is one.
      expect(await signed(here, '/siixyz')).toMatch(/^\/sii\/siixyz/);
    } finally {
      await below.stop();
    }
  });

  it('is good for a minute, by the clock of the database', async () => {
    const { client } = await someone();
    const { data } = await asked(client, sheet);
    const [[left]] = (await service.sql('select extract(epoch from $1::timestamptz - now())::float8', [
      data.download.validoAte,
    ])) as [[number]];
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);

    // The same signature, made a minute earlier.
    const token = client.headers['token']!;
    const [, session] = /assinatura=(\d+)/.exec(data.download.url)!;
    const [[now]] = (await service.sql('select extract(epoch from now())::int')) as [[number]];
    const at = (moment: number) => sign(sheet, token, { idSessao: Number(session), idChave: 0 }, moment).url;
    expect((await service.anyone.get(at(now - 20))).status).toBe(200);
    expectProblem(await service.anyone.get(at(now - 61)), 401, 'UNAUTHENTICATED');
  });

  it('is valid only for its path, its session and its time', async () => {
    const [{ client }, { client: foreigner }] = [await someone(), await someone()];
    const url = await signed(client, sheet);
    const [, id, key, end, mac] = /assinatura=(\d+)\.(\d+)\.(\d+)\.([\w-]+)$/.exec(url)!;
    const [, foreign] = /assinatura=(\d+)/.exec(await signed(foreigner, sheet))!;
    const others = [
      url.replace('titulo=%C3%A1cido', 'titulo=a'),
      url.replace('?', '?situacao=A&'),
      url.replace('materiais', 'lotes'),
      url.replace(`${id}.${key}`, `${foreign}.${key}`),
      url.replace(`${id}.${key}`, `4000000000.${key}`),
      url.replace(`.${key}.`, '.1.'),
      url.replace(`.${end}.`, `.${Number(end) + 1}.`),
      url.replace(
        mac!,
        mac!.replace(/./, first => (first === 'A' ? 'B' : 'A')),
      ),
      url.slice(0, -1),
    ];
    for (const changed of others) {
      expect(changed).not.toBe(url);
      expectProblem(await service.anyone.get(changed), 401, 'UNAUTHENTICATED');
    }
    expect((await service.anyone.get(url)).status).toBe(200);
  });

  it('ends with the session and with the right', async () => {
    const ended = await someone();
    const url = await signed(ended.client, sheet);
    expect((await ended.client.graphql('mutation { sair }')).errors).toBeUndefined();
    expectProblem(await service.anyone.get(url), 401, 'UNAUTHENTICATED');

    const { client, idPermissao } = await someone();
    const taken = await signed(client, sheet);
    await setSituacao(service, 'permissao', idPermissao, 'I');
    expectProblem(await service.anyone.get(taken), 403, 'FORBIDDEN');
  });

  it('answers with files only, and changes nothing', async () => {
    const { client } = await someone();
    expectProblem(await service.anyone.get(await signed(client, list)), 400, 'BAD_REQUEST');
    const login = await service.anyone.get(await signed(client, '/permissoes/autenticacoes'));
    expectProblem(login, 400, 'BAD_REQUEST');
    const url = await signed(client, '/almoxarifadoquimicos/tipos-empresas');
    expectProblem(await service.anyone.post(url, { descricao: 'Teste' }), 401, 'UNAUTHENTICATED');
  });

  it('is made for paths of this service, and for a session', async () => {
    const { client } = await someone();
    for (const caminho of [
      '',
      'x',
      '//evil.example/x',
      'https://evil.example/',
      '/x#y',
      `/${'x'.repeat(5000)}`,
    ]) {
      const { errors } = await asked(client, caminho);
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', errors: [{ field: 'caminho' }] });
    }
    const keyOnly = await asked(service.anyone.with(systemHeaders), sheet);
    expect(keyOnly.errors![0]!.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('is never logged', async () => {
    const { client } = await someone();
    const url = await signed(client, sheet);
    const { headers } = await service.anyone.get(url);
    await service.anyone.get(`${url}x`);
    const log = written.join('');
    expect(log).toContain(headers.get('x-request-id'));
    expect(log).not.toContain('assinatura');
    expect(log).not.toContain(url.slice(-43));
  });
});

describe('a record', () => {
  it('has the address of its file, for callers with a key that holds', async () => {
    const { client } = await someone();
    const system = await makeSystem(service);
    const { id: idChave, chave } = await makeKey(service, system);
    const withKey = client.with({ 'app-name': system.sigla, 'api-key': chave, appversion: '1' });
    const { body } = await withKey.post(files, {
      id_tabela_origem: 7,
      nome_tabela_origem: 'material',
      nome: 'laudo.txt',
      tipo_mime: 'text/plain',
      conteudo: Buffer.from('Laudo nº 7').toString('base64'),
    });
    const query = `{ arquivosDigitais(filter: { id: { eq: ${body.id} } }) { data { nome download { url } } } }`;
    const { data, errors } = await withKey.graphql(query);
    expect(errors).toBeUndefined();
    const [{ nome, download }] = data.arquivosDigitais.data;
    expect(nome).toBe('laudo.txt');
    const found = await service.anyone.get(download.url);
    expect(found).toMatchObject({ status: 200, body: 'Laudo nº 7' });
    expect(found.headers.get('content-disposition')).toContain('laudo.txt');

    // Signed without the key, and with a key that was revoked since.
    const without = await service.anyone.get(await signed(client, `${files}/${body.id}`));
    expectProblem(without, 401, 'UNAUTHENTICATED');
    await revokeKey(await service.as('admin'), idChave);
    expectProblem(await service.anyone.get(download.url), 401, 'UNAUTHENTICATED');
  });

  it('has the address of its PDF', async () => {
    const docente = await service.as('docente');
    const { data, errors } = await docente.graphql('{ planosEnsino { data { id pdf { url } } } }');
    expect(errors).toBeUndefined();
    const [{ id, pdf }] = data.planosEnsino.data;
    const found = await service.anyone.get(pdf.url);
    expect(found.status).toBe(200);
    expect(found.headers.get('content-type')).toBe('application/pdf');
    expect(found.headers.get('content-disposition')).toContain(`plano-ensino-${id}.pdf`);
  });
});
