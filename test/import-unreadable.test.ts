import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../src/imports/failure.ts';
import type { Client } from './support/client.ts';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

const service = useService();
const { file, load, run } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const PLACES = '/institucional/importacoes';

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

/** Imports a file with few rows, which ends before the answer. */
async function send(content: string | Buffer, more: object = {}) {
  const { body } = await admin.post(PLACES, {
    registros: 'lotacoes',
    nome_arquivo: 'dados.csv',
    conteudo: Buffer.from(content).toString('base64'),
    ...more,
  });
  expect(body.situacao).not.toBe('em_andamento');
  return body;
}

describe('a file that is not text', () => {
  it('in UTF-16 with the high byte first is read by its byte order mark', async () => {
    const content = Buffer.from('\ufeffsigla;nome\nUBE;Química – €', 'utf16le').swap16();
    expect(await send(content)).toMatchObject({ situacao: 'concluida', criadas: 1 });
    expect(await sql(`select nome from lotacao where sigla = 'UBE'`)).toEqual([['Química – €']]);
    expect(await load('lotacoes', await file(content))).toMatchObject({ same: 1 });
  });

  it('is refused at once, with advice for a workbook of an old program or with a password', async () => {
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]);
    expect(await send(old)).toMatchObject({
      situacao: 'recusada',
      detalhe: expect.stringMatching(/^dados\.csv está no formato antigo \.xls, .* Salve-o sem senha como/),
    });
    for (const type of ['csv', 'xlsx'])
      await expect(load('lotacoes', await file(old, type))).rejects.toThrow('is in the old format .xls');
    for (const content of ['sig\0la;nome\nA;B', `sigla;no${'\0'.repeat(9)}me"\nA;B`, Buffer.alloc(5_000)])
      expect((await send(content)).situacao).toBe('recusada');
  });
});

describe('something that cannot be stored in a cell', () => {
  it('is a problem of its row, and the good rows are imported', async () => {
    const rows = ['sigla;nome', 'NU1;Com\0nulo', 'NU\x002;Outra', 'NU3;Boa', 'NU4;\0'].join('\n');
    const body = await send(rows, { aceitar_validas: true });
    expect(body).toMatchObject({ situacao: 'concluida', criadas: 1, recusadas: 3 });
    expect(body.problemas).toEqual([
      {
        linha: 2,
        coluna: 'nome',
        valor: 'Com\ufffdnulo',
        problema: 'A célula tem algo que não é um caractere.',
        esperado: 'um valor: no máximo 200 caracteres',
      },
      expect.objectContaining({ linha: 3, coluna: 'sigla', valor: 'NU\ufffd2' }),
      expect.objectContaining({ linha: 5, coluna: 'nome', valor: '\ufffd' }),
    ]);
    const refused = await admin.get(`/institucional/linhas-recusadas/${body.id}`);
    expect(refused.body.linhas[0].celulas).toEqual(['NU1', 'Com\ufffdnulo']);
  });

  it('is a problem of its row in a workbook, too, where it is escaped', async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet('Lotações').addRows([
      ['sigla', 'nome'],
      ['NX1', 'Com_x0000_nulo'],
      ['NX2', { error: '#N/A' }],
      ['NX3', 'Boa'],
    ]);
    const body = await send(Buffer.from(await book.xlsx.writeBuffer()), { aceitar_validas: true });
    expect(body).toMatchObject({ situacao: 'concluida', criadas: 1, recusadas: 2 });
    expect(body.problemas).toMatchObject([
      { linha: 2, coluna: 'nome', valor: 'Com\ufffdnulo' },
      {
        linha: 3,
        valor: '#N/A',
        problema: 'A célula mostra um erro, ou tem uma fórmula que nenhum programa calculou ainda.',
      },
    ]);
  });

  it('is not made by cutting a long value within a character', async () => {
    const long = (length: number): string => `${'x'.repeat(length - 1)}😀${'y'.repeat(200)}`;
    const body = await send(`sigla;nome\nEM1;${long(200)}\n${long(60)};Boa`);
    expect(body).toMatchObject({ situacao: 'recusada', total_problemas: 2 });
    expect(body.problemas[0].valor).toBe(`${'x'.repeat(199)}…`);
    await expect(load('lotacoes', await file(`sigla;nome\n${long(60)};Boa`))).rejects.toThrow(
      `found "${'x'.repeat(59)}…"`,
    );
  });
});

describe('an import that only the database refuses', () => {
  it('says so without a list that it does not have, and without a stack', async () => {
    await sql(`alter table unidade_medida add constraint only_for_test check (sigla <> 'zz9')`);
    const content = 'sigla;descricao\nzz9;Recusada';
    expect(await send(content, { registros: 'unidades-medida' })).toMatchObject({
      situacao: 'interrompida',
      detalhe: 'Uma regra do banco de dados não permite um dos valores.',
    });
    expect(await run(1, 'unidades-medida', await file(content))).toBe(
      'Nothing was imported: new row for relation "unidade_medida" violates check constraint "only_for_test"\n',
    );
    await sql(`alter table unidade_medida rename constraint only_for_test to unidade_medida_sigla_check`);
    expect(await send(content, { registros: 'unidades-medida' })).toMatchObject({
      detalhe: 'O banco de dados não aceita um valor do arquivo. sigla: não é um valor permitido',
    });
  });

  it('does not blame the connection for a value that cannot be stored', () => {
    const error = Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });
    expect(failureOf(error).pt).toBe('O banco de dados não aceita um valor do arquivo.');
  });
});

it('an import whose end cannot be stored ends at once, with a fixed text', async () => {
  await sql(
    `alter table importacao add constraint only_for_test check (detalhe !~ 'coluna 2 não') not valid`,
  );
  try {
    expect(await send('sigla;apelido\nA;B')).toMatchObject({
      situacao: 'interrompida',
      detalhe: 'A importação falhou por um erro do serviço. Nada foi importado.',
    });
  } finally {
    await sql('alter table importacao drop constraint only_for_test');
  }
});
