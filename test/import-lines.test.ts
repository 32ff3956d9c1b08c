import { beforeAll, describe, expect, it } from 'vitest';
import { importables, importFile } from '../src/imports/import-file.ts';
import { fileAt, rowsOf } from '../src/imports/rows.ts';
import type { Client } from './support/client.ts';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';
import { textRow, workbookOf } from './support/workbooks.ts';

const service = useService();
const { file, load } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const CREATE = `mutation ($input: ImportacaoInput!) { importar(input: $input) { situacao criadas problemas { linha } } }`;

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

/** Imports units, and answers how the import ended and which units there are then. */
async function units(key: string, content: string) {
  await sql('delete from lotacao where sigla ~ $1', [`^${key}`]);
  const { body } = await admin.post('/institucional/importacoes', {
    registros: 'lotacoes',
    nome_arquivo: 'dados.csv',
    conteudo: Buffer.from(content).toString('base64'),
  });
  const stored = await sql('select sigla, nome from lotacao where sigla ~ $1 order by sigla', [`^${key}`]);
  return { situacao: body.situacao, stored };
}

const ENDS = [
  ['CRLF', '\r\n'],
  ['LF', '\n'],
  ['CR', '\r'],
] as const;

describe('a line of a csv', () => {
  it.each(ENDS.flatMap(([first, a]) => ENDS.map(([then, b]) => [first, then, a, b] as const)))(
    'may end in another way than its headers: %s, then %s',
    async (_first, _then, a, b) => {
      const content = `sigla;nome${a}LE1;"Um"${b}LE2;Dois${b}${a}LE3;"Três ""3"""${b}`;
      expect(await units('LE', content)).toEqual({
        situacao: 'concluida',
        stored: [
          ['LE1', 'Um'],
          ['LE2', 'Dois'],
          ['LE3', 'Três "3"'],
        ],
      });
    },
  );

  it('ends in the same way on both faces, and a cell in quotes keeps its own', async () => {
    const content = 'sigla;nome\r\nLQ1;"Um\ndois\r\ntrês"\nLQ2;Outro';
    expect((await units('LQ', content)).stored).toEqual([
      ['LQ1', 'Um\ndois\r\ntrês'],
      ['LQ2', 'Outro'],
    ]);
    const input = {
      registros: 'lotacoes',
      nomeArquivo: 'dados.csv',
      conteudo: Buffer.from(content.replaceAll('LQ', 'LG')).toString('base64'),
    };
    const { data } = await admin.graphql(CREATE, { input });
    expect(data.importar).toEqual({ situacao: 'CONCLUIDA', criadas: 2, problemas: [] });
  });

  it('may be split anywhere between two chunks of the file', async () => {
    // Each is longer than the last, so that the ends come to other places in their chunks.
    const rows = Array.from({ length: 2_000 }, (_, i) => `LC${i};${'x'.repeat(i % 190)}${i}`);
    for (const [, end] of ENDS) {
      await sql(`delete from lotacao where sigla ~ '^LC'`);
      expect(await load('lotacoes', await file(['sigla;nome', ...rows].join(end)))).toMatchObject({
        created: rows.length,
      });
    }
  });
});

it('rows are written in batches of rows, however many lines between them are empty', async () => {
  const path = await file(`sigla;nome\nLB1;Um\n${'\n'.repeat(100_000)}LB2;Dois`);
  const written: number[] = [];
  const all = await importables();
  const result = await importFile(service().services, all.get('lotacoes')!, await fileAt(path), {
    dryRun: false,
    progress: (rows, done) => {
      if (done === 'written') written.push(rows);
    },
  });
  expect(result).toMatchObject({ created: 2 });
  // One batch: its changes, which count as half of the work, and its new records.
  expect(written).toEqual([1, 2]);
});

it.each(['csv', 'xlsx'])(
  'reading a %s ends when the import is stopped, also between two rows',
  async type => {
    const names = (i: number): string[] => [`LS${i}`, 'x'.repeat(100)];
    const rows = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const content =
      type === 'csv'
        ? `LS1;x\n${'\n'.repeat(1_000_000)}LS2;x`
        : workbookOf({ rows: rows.map(i => (i === 1 ? textRow(i, names(i)) : `<row r="${i}"/>`)).join('') });
    const stop = new AbortController();
    const reading = rowsOf(await fileAt(await file(content, type)), stop.signal);
    expect((await reading.next()).value).toMatchObject({ number: 1 });
    const reason = new Error('the process ends');
    stop.abort(reason);
    await expect(reading.next()).rejects.toBe(reason);
  },
);
