import { beforeAll, describe, expect, it } from 'vitest';
import { checkDigits } from '../src/domain/cpf.ts';
import type { Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { textRow, workbookOf, type WorkbookParts } from './support/workbooks.ts';

const service = useService();
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const PLACES = '/institucional/importacoes';

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

/** Imports a workbook, and answers how the import ended. */
async function send(parts: WorkbookParts | Buffer, registros = 'lotacoes', more: object = {}) {
  const content = Buffer.isBuffer(parts) ? parts : workbookOf(parts);
  const { body } = await admin.post(PLACES, {
    registros,
    nome_arquivo: 'dados.xlsx',
    conteudo: content.toString('base64'),
    ...more,
  });
  return eventually(async () => {
    const one = (await admin.get(`${PLACES}/${body.id}`)).body;
    expect(one.situacao).not.toBe('em_andamento');
    return one;
  });
}

const titles = textRow(1, ['sigla', 'nome']);
/** A cell of the second column, in the second row, of a unit with this key. */
const unit = (sigla: string, cell: string): string =>
  `${titles}<row r="2"><c r="A2" t="str"><v>${sigla}</v></c>${cell}</row>`;
const nameOf = async (sigla: string): Promise<unknown> =>
  (await sql('select nome from lotacao where sigla = $1', [sigla])).flat();

describe('a text of a workbook that another program wrote', () => {
  it.each<[string, string, string, string?]>([
    [
      'in several runs is all of them',
      '<c r="B2" t="inlineStr"><is><r><t xml:space="preserve">Departamento de </t></r><r><rPr><b/></rPr><t>Química</t></r></is></c>',
      'Departamento de Química',
    ],
    [
      'shared, in runs, is all of them, without how it is pronounced',
      '<c r="B2" t="s"><v>0</v></c>',
      '東京 大学',
      '<si><r><t xml:space="preserve">東京 </t></r><r><t>大学</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
    ],
    [
      'in a cell is without how it is pronounced',
      '<c r="B2" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
      '東京',
    ],
    [
      'may be in a section of characters',
      '<c r="B2" t="inlineStr"><is><t>P<![CDATA[ & D < x]]></t></is></c>',
      'P & D < x',
    ],
    ['is decoded once', '<c r="B2" t="str"><v>p &amp;lt; 5 &amp;amp; q</v></c>', 'p &lt; 5 &amp; q'],
    [
      'is decoded once where it is in the cell',
      '<c r="B2" t="inlineStr"><is><t>p &amp;lt; 5</t></is></c>',
      'p &lt; 5',
    ],
    [
      'is decoded once where it is the result of a formula',
      '<c r="B2" t="str"><f>"a"&amp;"&lt;b"</f><v>a&amp;lt;b</v></c>',
      'a&lt;b',
    ],
    [
      'has nothing of the extensions of its cell',
      '<c r="B2" t="inlineStr"><is><t>Física</t></is><extLst><ext><v>9</v><t>9</t></ext></extLst></c>',
      'Física',
    ],
  ])('%s', async (_name, cell, expected, texts = '') => {
    await sql(`delete from lotacao where sigla = 'TXT'`);
    expect(await send({ rows: unit('TXT', cell), texts })).toMatchObject({
      situacao: 'concluida',
      criadas: 1,
    });
    expect(await nameOf('TXT')).toEqual([expected]);
  });

  it('that the workbook does not have refuses the file, and no value is cleared', async () => {
    await send({ rows: unit('FLT', '<c r="B2" t="str"><v>Fica</v></c>') });
    expect(
      await send({ rows: unit('FLT', '<c r="B2" t="s"><v>9</v></c>'), texts: '<si><t>Um</t></si>' }),
    ).toMatchObject({
      situacao: 'recusada',
      detalhe: expect.stringContaining('(falta o texto de uma célula)'),
    });
    expect(await nameOf('FLT')).toEqual(['Fica']);
  });

  it.each([
    ['with a prefix for each element', { prefix: 'x:' }],
    ['in the strict edition of the standard', { strict: true }],
  ])('is found in a workbook %s', async (_name, edition) => {
    await sql(`delete from lotacao where sigla = 'PRE'`);
    const rows = unit('PRE', '<c r="B2" t="str"><v>Prefixo</v></c>');
    const named = 'prefix' in edition ? rows.replaceAll(/<(\/?)(?=\w)/g, `<$1${edition.prefix}`) : rows;
    expect(await send({ rows: named, ...edition })).toMatchObject({ situacao: 'concluida', criadas: 1 });
    expect(await nameOf('PRE')).toEqual(['Prefixo']);
  });
});

describe('the place of a cell', () => {
  const row = (number: number, sigla: string): string => textRow(number, [sigla, `Linha ${number}`]);

  it('follows from the one before where a row or cell does not say it', async () => {
    const rows = `${titles}${row(2, 'ONE')}`.replaceAll(/ r="\w+"/g, '') + row(9, 'TWO');
    expect(await send({ rows })).toMatchObject({ situacao: 'concluida', criadas: 2 });
    expect(await nameOf('TWO')).toEqual(['Linha 9']);
  });

  it.each([
    ['rows that are not in their order', row(9_000, 'OR1') + row(3, 'OR2'), 9_000],
    ['a row that comes twice', row(2, 'OR1') + row(2, 'OR2'), 2],
    ['a row behind the last one of every sheet', row(2_000_000_000, 'OR1'), 1],
    ['a row without a number', '<row r="x"><c t="str"><v>OR1</v></c></row>', 1],
    ['a cell of another row', '<row r="2"><c r="A7" t="str"><v>OR1</v></c></row>', 2],
    [
      'a cell that comes twice',
      '<row r="2"><c r="A2" t="str"><v>OR1</v></c><c r="A2" t="str"><v>OR2</v></c></row>',
      2,
    ],
    ['a cell that no sheet has', '<row r="2"><c r="XFE2" t="str"><v>OR1</v></c></row>', 2],
  ])('refuses a file with %s', async (_name, rows, near) => {
    expect(await send({ rows: titles + rows })).toMatchObject({
      situacao: 'recusada',
      detalhe: expect.stringContaining(
        `dados.xlsx não pode ser lido como planilha (uma linha ou célula não está no seu lugar, perto da linha ${near})`,
      ),
    });
    expect(await sql(`select from lotacao where sigla ~ '^OR[12]$'`)).toEqual([]);
  });
});

describe('a day of a workbook that another program wrote', () => {
  let people = 0;
  const cpf = (): string => {
    const digits = String(310_000_000 + people++);
    return `${digits}${checkDigits(digits)}`;
  };
  const DAY = 'dd/mm/yyyy hh:mm';

  /** How an employee's date is stored, or what is wrong with it. */
  async function moment(cell: string, parts: Partial<WorkbookParts> = {}): Promise<unknown> {
    const number = cpf();
    const headers = textRow(1, ['cpf', 'nome_civil', 'natureza_juridica', 'ultima_alteracao']);
    const employee = textRow(2, [number, 'Ana', 'Bolsista']).replace('</row>', `${cell}</row>`);
    const end = await send({ rows: headers + employee, formats: [DAY], ...parts }, 'funcionarios');
    if (end.situacao !== 'concluida') return end.problemas?.[0]?.valor ?? end.detalhe;
    const [[stored]] = (await sql(
      `select to_char(ultima_alteracao at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI') from funcionario where cpf = $1`,
      [number],
    )) as [[string]];
    return stored;
  }

  it.each(['1', 'true', ' true '])('is counted from 1904 where the workbook says %j', async said => {
    const properties = `<workbookPr date1904="${said}"/>`;
    expect(await moment('<c r="D2" s="1"><v>44884.5</v></c>', { properties })).toBe('2026-11-20 12:00');
  });

  it('is counted from 1900 otherwise', async () => {
    for (const properties of ['', '<workbookPr date1904="0"/>', '<workbookPr date1904="false"/>'])
      expect(await moment('<c r="D2" s="1"><v>46346.5</v></c>', { properties })).toBe('2026-11-20 12:00');
  });

  it.each([
    ['2026-11-20', '2026-11-20 00:00'],
    ['2026-11-20T10:30:00', '2026-11-20 10:30'],
    ['2026-11-20T10:29:59.9999', '2026-11-20 10:30'],
    ['2026-11-20T10:30:00Z', '2026-11-20 07:30'],
    ['2026-02-30', '2026-02-30'],
    ['10:30:00', '10:30:00'],
  ])('may be written as %s', async (written, expected) => {
    expect(await moment(`<c r="D2" s="1" t="d"><v>${written}</v></c>`)).toBe(expected);
  });

  it('before March of 1900, about which programs disagree, is a problem, and so is one that no calendar has', async () => {
    for (const days of [-1, 1, 60, 2_958_466, 1e300])
      expect(await moment(`<c r="D2" s="1"><v>${days}</v></c>`)).toBe('#NUM!');
    expect(await moment('<c r="D2" s="1"><v>61</v></c>')).toBe('1900-03-01 00:00');
  });

  it('is known by its format, in which letters may stand for themselves', async () => {
    const shown: unknown[] = [];
    const codes = [
      '0\\ \\m\\L',
      '0" dias"',
      '[Red]0_d*y',
      'General',
      '0.00E+00',
      '[$-416]d\\-mmm\\-yy;@',
      'mmm/yy',
      '[h]:mm:ss',
      'hh:mm AM/PM',
      '0.0%;[Red]\\-0.0%',
      '0"%"',
    ];
    const rows = codes.map((_, i) => {
      const value = i === 7 ? 1.25 : i === 8 ? 0.3125 : i > 8 ? 0.5 : 46_346;
      return `<row r="${i + 2}"><c r="A${i + 2}" t="str"><v>F${i}</v></c><c r="B${i + 2}" s="${i + 1}"><v>${value}</v></c></row>`;
    });
    expect(await send({ rows: titles + rows.join(''), formats: codes })).toMatchObject({
      criadas: codes.length,
    });
    for (const i of codes.keys()) shown.push(((await nameOf(`F${i}`)) as unknown[])[0]);
    expect(shown).toEqual([
      '46346',
      '46346',
      '46346',
      '46346',
      '46346',
      '2026-11-20',
      '2026-11-20',
      '30:00:00',
      '07:30:00',
      '50%',
      '0.5',
    ]);
  });
});

it('a formula whose result is not in the file is a problem, whatever its type', async () => {
  const formula = (row: number, type: string, result: string): string =>
    `<row r="${row}"><c r="A${row}" t="str"><v>FX${row}</v></c><c r="B${row}"${type}><f>A1</f>${result}</c></row>`;
  const rows = [
    titles,
    formula(2, ' t="str"', ''),
    formula(3, ' t="b"', ''),
    formula(4, '', '<v></v>'),
    formula(5, ' t="b"', '<v>false</v>'),
    formula(6, ' t="e"', '<v>#N/A</v>'),
    formula(7, ' t="str"', '<v>Sete</v>'),
  ];
  const end = await send({ rows: rows.join('') }, 'lotacoes', { aceitar_validas: true });
  expect(end).toMatchObject({ situacao: 'concluida', criadas: 2 });
  expect(end.problemas.map(({ linha, valor }: { linha: number; valor: string }) => [linha, valor])).toEqual([
    [2, '#CALC!'],
    [3, '#CALC!'],
    [4, '#CALC!'],
    [6, '#N/A'],
  ]);
  expect([await nameOf('FX5'), await nameOf('FX7')]).toEqual([['FALSE'], ['Sete']]);
});

it.each([
  ['a comment without end', `<!--${'<'.repeat(5_000_000)}-->`],
  ['an element in an element, and so on', '<x>'.repeat(200) + '</x>'.repeat(200)],
  [
    'a cell of endless runs',
    unit('BIG', `<c><is>${`<r><t>${'x'.repeat(50_000)}</t></r>`.repeat(100)}</is></c>`),
  ],
])('%s is refused, and not kept in memory', async (_name, rows) => {
  expect(await send({ rows })).toMatchObject({
    situacao: 'recusada',
    detalhe: expect.stringContaining('é grande demais depois de descompactado'),
  });
});

it('the parts of a workbook are found whatever the case of their names', async () => {
  const book = workbookOf({
    rows: unit('CAS', '<c r="B2" t="s"><v>0</v></c>'),
    texts: '<si><t>Nome</t></si>',
  });
  const renamed = book.toString('latin1').replaceAll('xl/sharedStrings.xml', 'xl/SharedStrings.xml');
  expect(await send(Buffer.from(renamed, 'latin1'))).toMatchObject({ criadas: 1 });
  expect(await nameOf('CAS')).toEqual(['Nome']);
});

it('refused rows come back as they were, and can be imported as they are once what they name is there', async () => {
  const names = ['p &lt; 5 & <b>', '&amp;amp;', '_x0041_ &#65;', ' a ', '=1+1', '"x"'];
  const content = [
    'sigla;nome;lotacao_sigla',
    ...names.map((name, i) => `RT${i};"${name.replaceAll('"', '""')}";RTL`),
  ];
  const body = { registros: 'locais', nome_arquivo: 'locais.csv', aceitar_validas: true };
  const first = await admin.post(PLACES, {
    ...body,
    conteudo: Buffer.from(content.join('\n')).toString('base64'),
  });
  expect(first.body).toMatchObject({ situacao: 'concluida', recusadas: names.length });
  const file = await fetch(`${service().url}/institucional/linhas-recusadas/${first.body.id}`, {
    headers: { ...admin.headers, accept: 'application/octet-stream' },
  });
  await sql(`insert into lotacao (sigla, nome) values ('RTL', 'Chegou')`);
  const end = await send(Buffer.from(await file.arrayBuffer()), 'locais');
  expect(end).toMatchObject({ situacao: 'concluida', criadas: names.length });
  expect((await sql(`select nome from local where sigla ~ '^RT\\d' order by sigla`)).flat()).toEqual(
    names.map(name => name.trim()),
  );
});
