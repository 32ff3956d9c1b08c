import { beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from './support/administration.ts';
import type { Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { textRow, workbookOf } from './support/workbooks.ts';

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

const OWN_CPF = '11144477735';

describe('of a file that is refused as a whole', () => {
  const HEADERS = ['cpf', 'nome_civil', 'natureza_juridica', 'ultima_alteracao'];
  const csv = (row: string) => `${HEADERS.join(';')}\n${row}\n`;
  const sheet = (rows: string) => workbookOf({ rows: textRow(1, HEADERS) + rows });

  /** The import of such a file, and what its record and the audit trail keep of it. */
  async function refused(nome: string, content: string | Buffer) {
    const { body } = await admin.post(IMPORTS, {
      registros: 'funcionarios',
      nome_arquivo: nome,
      conteudo: Buffer.from(content).toString('base64'),
    });
    const ended = await eventually(async () => {
      const one = (await admin.get(`${IMPORTS}/${body.id}`)).body;
      expect(one.situacao).toBe('recusada');
      return one;
    });
    const kept = await service().sql(
      `select to_jsonb(i)::text from importacao i where id = $1 union all
        select a::text from auditoria a where tabela = 'importacao' and id_registro = $1`,
      [body.id],
    );
    return { ended, kept: kept.flat().join('\n') };
  }

  it('without headers, only who may list its records sees what stands in the first row, and only the report keeps it', async () => {
    const { ended, kept } = await refused('dados.csv', `${OWN_CPF};Fulano da Silva Sauro;cpf;cpf\n`);
    for (const value of [OWN_CPF, /fulano/i]) expect(kept).not.toMatch(value);
    expect(ended.detalhe).toMatch(
      / {2}a coluna 1 não pode ser importada\n {2}a coluna 2 não pode ser importada\n/,
    );
    expect(ended.detalhe).toContain('"cpf" aparece duas vezes');
    const problemas = [
      {
        linha: 1,
        coluna: 'coluna 1',
        valor: OWN_CPF,
        problema: 'A coluna não pode ser importada.',
        esperado: 'uma coluna de funcionarios',
      },
      expect.objectContaining({ coluna: 'coluna 2', valor: 'fulano_da_silva_sauro' }),
    ];
    expect(ended).toMatchObject({ problemas, total_problemas: 2, criadas: null, recusadas: null });
    const lister = await reader('institucional/funcionarios-ativos');
    expect((await lister.get(`${IMPORTS}/${ended.id}`)).body).toMatchObject({ problemas });
    const other = await reader();
    const { body } = await other.get(`${IMPORTS}/${ended.id}`);
    expect(body).toMatchObject({ detalhe: ended.detalhe, problemas: null });
    const { data } = await other.graphql(`{ importacao(id: ${ended.id}) { detalhe problemas { valor } } }`);
    expect(data.importacao).toEqual({ detalhe: ended.detalhe, problemas: null });
  });

  it.each<[string, string, string | Buffer, string]>([
    [
      'whose quote is in the middle of a cell',
      'dados.csv',
      csv(`${OWN_CPF}"x;Fulano`),
      'não é um CSV bem formado: na linha 2, há aspas no meio de uma célula.',
    ],
    [
      'whose quote does not end where the cell does',
      'dados.csv',
      csv(`"${OWN_CPF}"x;Fulano`),
      'não é um CSV bem formado: na linha 2, há um caractere depois das aspas que fecham uma célula.',
    ],
    [
      'whose quote never ends',
      'dados.csv',
      csv(`"${OWN_CPF};Fulano\nSauro`),
      'não é um CSV bem formado: na linha 2, as aspas que abrem uma célula não se fecham.',
    ],
    [
      'whose row never ends',
      'dados.csv',
      csv(`${OWN_CPF};${'x'.repeat(1_100_000)}`),
      'não é um CSV bem formado: na linha 2, há caracteres demais.',
    ],
    [
      'with a number in place of a shared text',
      'dados.xlsx',
      sheet(`<row r="2"><c r="A2" t="s"><v>${OWN_CPF}</v></c></row>`),
      'não pode ser lido como planilha (falta o texto de uma célula)',
    ],
    [
      'with a value in place of the number of a row',
      'dados.xlsx',
      sheet(`<row r="${OWN_CPF}"><c t="str"><v>x</v></c></row>`),
      'não pode ser lido como planilha (uma linha ou célula não está no seu lugar, perto da linha 1)',
    ],
    [
      'with a value in place of an element',
      'dados.xlsx',
      sheet(`<row r="2"></x${OWN_CPF}>`),
      'não pode ser lido como planilha (está danificado)',
    ],
  ])('%s, the reason says where and what, without a value', async (_what, nome, content, why) => {
    const { ended, kept } = await refused(nome, content);
    expect(ended.detalhe).toContain(`${nome} ${why}`);
    expect(kept).not.toContain(OWN_CPF);
  });
});

it('an upgrade takes the values of refused files out of the records that earlier versions left', async () => {
  const intact = 'Nada foi importado: outro programa está gravando em lotacao. Tente de novo mais tarde.';
  const details: [before: string, after: string][] = [
    [
      `As colunas na linha 1 do arquivo estão erradas:\n  "${CPF}" não pode ser importada\n  "fulana "de" tal" não pode ser importada\n  "cpf" falta\nColunas de pessoas: usuario*`,
      'As colunas na linha 1 do arquivo estão erradas:\n  uma coluna não pode ser importada\n  uma coluna não pode ser importada\n  "cpf" falta\nColunas de pessoas: usuario*',
    ],
    [
      `The columns in row 1 of the file are wrong:\n  "${CPF}" cannot be imported\n  "${CPF}" appears twice\n  "fulana…`,
      'The columns in row 1 of the file are wrong:\n  a column cannot be imported\n  a column appears twice\n  …',
    ],
    [
      `x.csv não é um CSV bem formado: Invalid Opening Quote: a quote is found on field 0 at line 2, value is "${CPF}"`,
      'x.csv não é um CSV bem formado: Invalid Opening Quote: a quote is found on field 0 at line 2',
    ],
    [
      `x.xlsx não pode ser lido como planilha (the text ${CPF} is missing). Salve-o`,
      'x.xlsx não pode ser lido como planilha (the text of a cell is missing). Salve-o',
    ],
    [intact, intact],
  ];
  const { migrator } = service().services.orm;
  const last = { migrations: ['Migration20261128000128'] };
  await migrator.down(last);
  const ids = await service().sql(
    `insert into importacao (registros, nome_arquivo, situacao, terminada_em, detalhe)
      select 'pessoas', 'x', 'recusada', now(), d from unnest($1::text[]) with ordinality as t (d, n) order by n returning id`,
    [details.map(([before]) => before)],
  );
  await migrator.up(last);
  const found = await service().sql('select detalhe from importacao where id = any($1) order by id', [
    ids.flat(),
  ]);
  expect(found.flat()).toEqual(details.map(([, after]) => after));
});
