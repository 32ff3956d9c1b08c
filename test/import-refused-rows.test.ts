import { gzipSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const IMPORTS = '/institucional/importacoes';
const REFUSED = '/institucional/linhas-recusadas';

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

/** A dry run of departments, at its end. */
async function checked(rows: readonly string[]) {
  const { body } = await admin.post(IMPORTS, {
    registros: 'lotacoes',
    nome_arquivo: 'lotacoes.csv',
    conteudo: Buffer.from(['sigla;nome', ...rows].join('\n')).toString('base64'),
    simulacao: true,
  });
  return eventually(async () => {
    const one = (await admin.get(`${IMPORTS}/${body.id}`)).body;
    expect(one.situacao).not.toBe('em_andamento');
    return one;
  });
}

/** The rows of the file without its headers, and the sheet that says what it has. */
async function download(id: number) {
  const answer = await fetch(`${service().url}${REFUSED}/${id}`, {
    headers: { ...admin.headers, accept: 'application/octet-stream' },
  });
  expect(answer.status).toBe(200);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await answer.arrayBuffer());
  const [rows, about] = book.worksheets.map(sheet =>
    sheet
      .getSheetValues()
      .slice(1)
      .map(row => (row as unknown[]).slice(1)),
  );
  return { rows: rows!.slice(1), about };
}

it('of 100,500 refused rows the first 100,000 are kept in their order, and the answers say how many there were', async () => {
  const names = Array.from({ length: 100_500 }, (_, i) => `F${i}`);
  const one = await checked(['BOA;Boa', ...names.map(name => `${name};`)]);
  expect(one).toMatchObject({ situacao: 'recusada', linhas: 100_501, criadas: 1, recusadas: 100_500 });
  const { body } = await admin.get(`${REFUSED}/${one.id}`);
  expect(body).toMatchObject({ colunas: ['sigla', 'nome'], total: 100_500 });
  expect(body.linhas).toHaveLength(1_000);
  expect(body.linhas[999]).toEqual({
    linha: 1002,
    celulas: ['F999', ''],
    problemas: expect.stringContaining('Falta o valor.'),
  });
  const { rows, about } = await download(one.id);
  expect(rows.map(([name]) => name)).toEqual(names.slice(0, 100_000));
  expect(rows[999]!.at(-1)).toContain('Falta o valor.');
  expect(about).toContainEqual(['Linhas', 'as primeiras 100.000 de 100.500 recusadas']);
  const stored = `select max(length(linhas)), count(*)::int from recusadas_importacao where id_importacao = $1`;
  const [[largest, chunks]] = (await service().sql(stored, [one.id])) as [[number, number]];
  expect([chunks, largest < 20_000]).toEqual([100, true]);
});

it('refused rows that an earlier version has stored in one piece can still be read', async () => {
  const { id } = await checked(['UM;', 'DOIS;']);
  const linhas = ['UM', 'DOIS'].map((name, i) => ({
    linha: i + 2,
    celulas: [name, ''],
    problemas: 'velho',
  }));
  await service().sql('delete from recusadas_importacao where id_importacao = $1', [id]);
  expect((await admin.get(`${REFUSED}/${id}`)).status).toBe(404);
  await service().sql('update andamento_importacao set recusadas = $2 where id_importacao = $1', [
    id,
    gzipSync(JSON.stringify({ colunas: ['sigla', 'nome'], linhas })),
  ]);
  expect((await admin.get(`${REFUSED}/${id}`)).body).toMatchObject({ total: 2, linhas });
  const { rows, about } = await download(id);
  expect(rows.map(([name, , problem]) => [name, problem])).toEqual([
    ['UM', 'velho'],
    ['DOIS', 'velho'],
  ]);
  expect(about).toContainEqual(['Filtros', 'nenhum']);
});

it('a text that is too long for a cell is cut in the file of refused rows, and the cut text is not imported', async () => {
  const headers =
    'codigo_disciplina;curso_codigo;ano;semestre;nome_disciplina;departamento_sigla;carga_horaria;' +
    'situacao_codigo;tramitacao_atual_descricao;docentes;ementa';
  const plan = (code: string, teachers: string, text: string): string =>
    `${code};QUI-B;2026;2;Química;DQI;60;AN;Elaboração pelo docente;${teachers};"${text}"`;
  // In the second one a character of two code units would be cut in two.
  const texts = [`\n${'ementa '.repeat(7_000)}`, `${'x'.repeat(32_765)}${'😀'.repeat(99)}`];
  const send = async (content: Buffer | string, nome: string) =>
    (
      await admin.post(IMPORTS, {
        registros: 'planos-ensino',
        nome_arquivo: nome,
        conteudo: Buffer.from(content).toString('base64'),
        aceitar_validas: true,
      })
    ).body;
  const rows = texts.map((text, i) => plan(`CUT${i}`, 'ninguem', text));
  const first = await send([headers, ...rows].join('\n'), 'planos.csv');
  expect(first).toMatchObject({ recusadas: 2, criadas: 0 });
  const answer = await fetch(`${service().url}${REFUSED}/${first.id}`, {
    headers: { ...admin.headers, accept: 'application/octet-stream' },
  });
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await answer.arrayBuffer());
  for (const cell of ['J2', 'J3']) book.worksheets[0]!.getCell(cell).value = 'docente';
  const again = await send(Buffer.from(await book.xlsx.writeBuffer()), 'planos.xlsx');
  expect(again).toMatchObject({ recusadas: 2, criadas: 0 });
  expect(again.problemas).toMatchObject([
    { linha: 2, coluna: 'ementa', problema: expect.stringContaining('O texto foi cortado') },
    { linha: 3, coluna: 'ementa', problema: expect.stringContaining('O texto foi cortado') },
  ]);
  const whole = texts.map((text, i) => plan(`CUT${i}`, 'docente', text));
  expect(await send([headers, ...whole].join('\n'), 'planos.csv')).toMatchObject({
    recusadas: 0,
    criadas: 2,
  });
});
