import { beforeAll, expect, it } from 'vitest';
import { makeCaller } from './support/administration.ts';
import type { Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const IMPORTS = '/institucional/importacoes';
const REFUSED = '/institucional/linhas-recusadas';
const MANAGED = ['permissoes/acesso-ambiente', 'permissoes/permissoes'];
const CPF = '11144477734';

let admin: Client;
let id: number;

/** An import of people that keeps one row, whose CPF is wrong. */
beforeAll(async () => {
  admin = await service().as('admin');
  const content = `usuario;nome;email;cpf\nfulana.de.tal;Fulana;fulana.de.tal@universidade.example;${CPF}\n`;
  id = (
    await admin.post(IMPORTS, {
      registros: 'pessoas',
      nome_arquivo: 'pessoas.csv',
      conteudo: Buffer.from(content).toString('base64'),
      aceitar_validas: true,
    })
  ).body.id;
  await eventually(async () => {
    const { recusadas } = (await admin.get(`${IMPORTS}/${id}`)).body;
    if (recusadas !== 1) throw new Error('the import has not ended');
  });
});

const reader = async (...controllers: string[]): Promise<Client> =>
  (
    await makeCaller(
      service(),
      ['institucional/importacoes', ...controllers].map(controller => ({ controller, nivel: 1 })),
    )
  ).client;
const download = (client: Client, path: string) =>
  client.with({ accept: 'application/octet-stream' }).get(`${path}/${id}`);

it('whoever may list imports, but not their records, sees how an import ended and nothing of its file', async () => {
  for (const client of [await reader(), await reader(MANAGED[0]!)]) {
    const one = await client.get(`${IMPORTS}/${id}`);
    expect(one.body).toMatchObject({
      id,
      recusadas: 1,
      total_problemas: 1,
      problemas: null,
      repeticoes: null,
    });
    const list = await client.get(IMPORTS);
    expect(JSON.stringify(list.body)).not.toContain(CPF);
    const query = `{ importacoes { data { id recusadas problemas { valor } } } linhasRecusadas(id: ${id}) { total } }`;
    const { data, errors } = await client.graphql(query);
    expect(data.importacoes.data).toContainEqual({ id, recusadas: 1, problemas: null });
    expect(errors!.map((error: any) => error.extensions.code)).toEqual(['FORBIDDEN']);
    for (const path of [IMPORTS, REFUSED]) expectProblem(await download(client, path), 403, 'FORBIDDEN');
    expectProblem(await client.get(`${REFUSED}/${id}`), 403, 'FORBIDDEN');
  }
});

it('whoever may list the records, too, and whoever imported them, see what is wrong in the file', async () => {
  for (const client of [await reader(...MANAGED), admin]) {
    const { body } = await client.get(`${IMPORTS}/${id}`);
    expect(body.problemas).toMatchObject([{ linha: 2, coluna: 'cpf', valor: CPF }]);
    expect((await client.get(`${REFUSED}/${id}`)).body.linhas).toHaveLength(1);
    expect((await download(client, REFUSED)).status).toBe(200);
  }
});

it('whoever may not list imports does not learn that there is one', async () => {
  const { client } = await makeCaller(
    service(),
    MANAGED.map(controller => ({ controller, nivel: 1 })),
  );
  expectProblem(await client.get(`${REFUSED}/${id}`), 404, 'NOT_FOUND');
});
