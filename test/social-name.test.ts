/**
 * If a person has a social name, the service uses it everywhere. The test searches everything that can be read for
 * civil names of people with a social name. Only the field of the civil name may contain them.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { pagesOf } from './support/pdf.ts';
import { grant, personOf } from './support/permissions.ts';
import { readAll } from './support/reads.ts';
import { useService } from './support/service.ts';

const service = useService();
const CIVIL = 'Registrada';
const SOCIAL = 'Chamada';
let admin: Client;

beforeAll(async () => {
  await grant(service(), 'admin', { controller: null, nivel: 3 });
  admin = (await service().as('admin')).with(systemHeaders);
  await service().sql(`update pessoa set nome_civil = '${CIVIL} ' || id, nome_social = '${SOCIAL} ' || id`);
});

/** The names of the fields of an answer that show a civil name. */
function fieldsWith(name: string, value: unknown, field = ''): string[] {
  if (typeof value === 'string') return value.includes(name) ? [field] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => fieldsWith(name, below, isNaN(+key) ? key : field));
}

/** A file as the text that its reader sees. */
async function download(path: string): Promise<string> {
  const answer = await fetch(admin.url + path, { headers: admin.headers });
  expect([path, answer.status]).toEqual([path, 200]);
  const isPdf = answer.headers.get('content-type')!.includes('pdf');
  return isPdf ? (await pagesOf(new Uint8Array(await answer.arrayBuffer()))).join(' ') : answer.text();
}

describe('a person with a social name', () => {
  it('is called by it in everything that can be read, on both faces', async () => {
    const schema = await createSchema();
    const people = [await personOf(service(), 'docente'), await personOf(service(), 'discente')];
    const [[vinculo]] = (await service().sql('select min(id) from vinculo_discente')) as [[number]];
    const guesses = { Int: [vinculo, people[0]!], String: ['docente@universidade.example'] };
    // The audit trail contains former names, for callers who may read it.
    const reads = (await readAll(admin, schema, routes, guesses)).filter(
      ({ name }) => !name.startsWith('trilhaAuditoria'),
    );
    const civil = reads.flatMap(({ name, text }) =>
      fieldsWith(CIVIL, textOrJson(text))
        .filter(field => field !== 'nomeCivil' && field !== 'nome_civil')
        .map(field => `${name}: ${field}`),
    );
    expect([...new Set(civil)]).toEqual([]);
    const called = reads.filter(({ text }) => text.includes(SOCIAL)).map(({ name }) => name.split(/[ ?]/)[0]);
    expect(called).toEqual(
      expect.arrayContaining([
        'planosEnsino',
        'planosCadastrados',
        'docentesPlanoTramitacao',
        'usuariosDiretorio',
        'vinculosDiscente',
        '/academico/vinculo-discente',
        '/institucional/usuarios-ldap',
        '/permissoes/acesso-ambiente',
        '/almoxarifadoquimicos/responsaveis-laboratorio',
        '/relatorios/planos-ensino/planos-cadastrados',
      ]),
    );
  });

  it('is called by it in documents and files', async () => {
    const [[plan]] = (await service().sql('select min(id_plano_ensino) from docente_plano')) as [[number]];
    const files = routes.flatMap(({ method, path, report, exports }) => {
      if (method !== 'GET') return [];
      if (exports) return [`${path}?export=true`];
      return report ? [`${path}?pdf=true`, `${path}?planilha=true`] : [];
    });
    expect(files.length).toBeGreaterThan(10);
    const texts = [];
    for (const path of [`/academico/planos-ensino/gerar-pdf/${plan}`, ...files])
      texts.push({ path, text: await download(path) });
    expect(texts.filter(({ text }) => text.includes(CIVIL)).map(({ path }) => path)).toEqual([]);
    const called = texts.filter(({ text }) => text.includes(SOCIAL)).map(({ path }) => path);
    // A PDF of a report also names the person who requested it.
    expect(called).toEqual(
      expect.arrayContaining([
        `/academico/planos-ensino/gerar-pdf/${plan}`,
        ...files.filter(path => path.endsWith('pdf=true')),
        '/relatorios/planos-ensino/planos-cadastrados?planilha=true',
      ]),
    );
  });

  it('is called by it when they log in', async () => {
    const id = await personOf(service(), 'docente');
    const docente = await service().anyone.login('docente');
    const access = await docente.get(`/permissoes/parametros-acesso-api/${docente.headers['token']}`);
    expect(access.body.pessoa).toMatchObject({ id, nome: `${SOCIAL} ${id}` });
    const { body } = await service().anyone.with(systemHeaders).post('/auth/login', {
      username: 'docente',
      password: 'demo-docente-2026',
    });
    expect(body.pessoa).toMatchObject({ id, nome: `${SOCIAL} ${id}` });
  });

  it('is found and ordered by it, and not by the civil name', async () => {
    const totals = async (path: string, name: string) =>
      (await admin.get(`${path}=${name}`)).body.total as number;
    for (const path of [
      '/almoxarifadoquimicos/responsaveis-laboratorio?nomeResponsavel',
      '/permissoes/acesso-ambiente?nomeSocial',
      '/relatorios/planos-ensino/planos-cadastrados?docentePlano',
    ]) {
      expect([path, await totals(path, CIVIL)]).toEqual([path, 0]);
      expect(await totals(path, SOCIAL.toLowerCase())).toBeGreaterThan(0);
    }
    const filtered = (name: string) =>
      admin.graphql(
        `{ vinculosDiscente(filter: { pessoa: { nome: { contains: "${name}" } } }, orderBy: [{ pessoa: { nome: desc } }]) {
          total data { pessoa { nome } } } }`,
      );
    expect((await filtered(CIVIL)).data.vinculosDiscente.total).toBe(0);
    const { data } = (await filtered(SOCIAL)).data.vinculosDiscente;
    const names = data.map(({ pessoa }: { pessoa: { nome: string } }) => pessoa.nome);
    expect(names).toEqual(names.toSorted((a: string, b: string) => b.localeCompare(a, 'pt-BR')));
  });
});

describe('a name', () => {
  const nameOf = async (usuario: string) =>
    (await service().sql('select nome, nome_civil from pessoa where usuario = $1', [usuario]))[0];

  it('is the civil name of a person without a social one, whichever of them changes', async () => {
    await service().sql(`update pessoa set nome_social = null where usuario = 'tecnico'`);
    const id = await personOf(service(), 'tecnico');
    expect(await nameOf('tecnico')).toEqual([`${CIVIL} ${id}`, `${CIVIL} ${id}`]);
    await service().sql(
      `update pessoa set nome_civil = 'Rui', nome_social = 'Ruth' where usuario = 'tecnico'`,
    );
    expect(await nameOf('tecnico')).toEqual(['Ruth', 'Rui']);
  });

  it('that a version before writes is the civil one', async () => {
    await service().sql(`update pessoa set nome = 'Raul' where usuario = 'tecnico'`);
    expect(await nameOf('tecnico')).toEqual(['Ruth', 'Raul']);
    await service().sql(
      `insert into pessoa (usuario, nome, nome_social, email) values ('nova', 'Civil', 'Nova', 'nova@x.example')`,
    );
    expect(await nameOf('nova')).toEqual(['Nova', 'Civil']);
  });
});

function textOrJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
