import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();
const permissions = '/permissoes/permissoes';
const access = '/permissoes/acesso-ambiente';
const kinds = '/almoxarifadoquimicos/tipos-empresas';

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

const tagOf = ({ headers }: Answer): string => headers.get('etag')!;
const seeing = (tag: string) => admin.with({ 'if-match': tag });

/** A person without access, who is not the record of the same number in another table. */
async function stranger(): Promise<number> {
  const [row] = await service().sql(
    `insert into pessoa (usuario, nome_civil, email)
     select 'p' || n, 'Pessoa ' || n, 'p' || n || '@universidade.example' from (select count(*) n from pessoa) p returning id`,
  );
  return row![0] as number;
}

describe('a new permission', () => {
  it('has no Location, because the path below the list reads the permissions of a person', async () => {
    const created = await admin.post(permissions, { id_pessoa: await stranger(), id_perfil: 6 });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBeNull();
    expect(tagOf(created)).toMatch(/^"1-/);
  });

  it('is not confused with the permission that has the number of its person', async () => {
    const [[other]] = (await service().sql(
      `select max(id) from permissao where versao = 1 and situacao = 'A'`,
    )) as [[number]];
    const created = await admin.post(permissions, { id_pessoa: await stranger(), id_perfil: 6 });
    expectProblem(await seeing(tagOf(created)).delete(`${permissions}/${other}`), 412, 'PRECONDITION_FAILED');
    const held = await service().sql('select situacao from permissao where id = $1', [other]);
    expect(held).toEqual([['A']]);
    const own = await seeing(tagOf(created)).delete(`${permissions}/${created.body.id}`);
    expect(own).toMatchObject({ status: 200, body: { situacao: 'I' } });
  });
});

it("a new access is not confused with that of the person who has its record's number", async () => {
  const created = await admin.post(access, { id_pessoa: await stranger() });
  expect(created.status).toBe(201);
  const { id, id_pessoa } = created.body;
  await service().sql(
    `insert into acesso_ambiente (id_pessoa, situacao) values ($1, 'A') on conflict do nothing`,
    [id],
  );
  expectProblem(await seeing(tagOf(created)).delete(`${access}/${id}`), 412, 'PRECONDITION_FAILED');
  expect((await seeing(tagOf(created)).delete(`${access}/${id_pessoa}`)).status).toBe(200);
});

describe('a tag', () => {
  it('names its record: neither another of its kind nor one of another kind with its number is changed by it', async () => {
    const [one, two] = [
      await admin.post(kinds, { descricao: 'Um', obriga_cnpj: 'N' }),
      await admin.post(kinds, { descricao: 'Outro', obriga_cnpj: 'N' }),
    ];
    const path = `${kinds}/${two.body.id}`;
    expectProblem(await seeing(tagOf(one)).put(path, { descricao: 'X' }), 412, 'PRECONDITION_FAILED');
    const both = `${tagOf(one)}, ${tagOf(two)}`;
    expect((await seeing(both).put(path, { descricao: 'Y' })).status).toBe(200);
    const unit = await admin.get('/almoxarifadoquimicos/tipos-empresas/1');
    const menu = await admin.get('/permissoes/menus/1');
    expect([tagOf(unit), tagOf(menu)].map(tag => /^(?:W\/)?"(\d+)-/.exec(tag)![1])).toEqual(['1', '1']);
    expectProblem(
      await seeing(tagOf(menu)).put(`${kinds}/1`, { descricao: 'X' }),
      412,
      'PRECONDITION_FAILED',
    );
  });

  it('of the time before tags named records still counts by its version', async () => {
    const { body } = await admin.post(kinds, { descricao: 'Antigo', obriga_cnpj: 'N' });
    const path = `${kinds}/${body.id}`;
    const digest = '0123456789abcdef0123456789abcdef';
    for (const [i, tag] of [`"1-${digest}"`, `W/"2-${digest}-gzip"`, '"3"'].entries())
      expect((await seeing(tag).put(path, { descricao: `Antigo ${i}` })).status, tag).toBe(200);
  });
});

it('movements have no Location, because the answer is a page of them', async () => {
  const { id, id_local } = await makeBatch(service(), { quantidade: 10 });
  const taking = {
    id_lote: id,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: id_local,
    quantidade: 1,
    fl_estorno: 'N',
  };
  const created = await admin.post(paths.movements, { movimentacoes: [taking] });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBeNull();
  const { body } = await admin.get('/openapi.json');
  const { headers = {} } = body.paths[paths.movements].post.responses['201'];
  expect(Object.keys(headers)).not.toContain('Location');
});

it('a Location is documented exactly where a path below reads what was created', async () => {
  const { body } = await service().anyone.get('/openapi.json');
  type Documented = { responses: Record<string, { headers?: object }> };
  const documented = Object.entries(body.paths as Record<string, Record<string, Documented>>);
  const creations = documented.filter(([, { post }]) => post?.responses['201']);
  const located = creations.filter(([, { post }]) => 'Location' in post!.responses['201']!.headers!);
  const readable = creations.filter(
    ([path]) =>
      ![permissions, paths.movements].includes(path) &&
      documented.some(([below, { get }]) => get && below.startsWith(`${path}/{`)),
  );
  const names = (found: typeof creations) => found.map(([path]) => path);
  expect(names(located)).toEqual(names(readable));
  expect(names(located)).toContain(kinds);
  expect(names(located)).not.toContain(access);
});
