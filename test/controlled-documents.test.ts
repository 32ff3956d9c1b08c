import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { makeChemical } from './support/controlled.ts';
import { boxesOf } from './support/pdf.ts';
import { useService } from './support/service.ts';

/** What the documents about controlled chemicals show where something is not known. */

const service = useService();
const register = '/relatorios/almoxarifado-quimicos/livro-controlados';

/** The register of a chemical as a file. */
async function fileOf(id: number, form: object): Promise<Uint8Array> {
  const [[titulo]] = (await service().sql('select titulo from material where id = $1', [id])) as [[string]];
  const client = await service().as('almoxarife');
  const query = new URLSearchParams({ produto: titulo, ...form });
  const answer = await fetch(`${client.url}${register}?${String(query)}`, { headers: client.headers });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

it('a mixture has its density on the line of densities, though it has no concentration', async () => {
  const pure = await makeChemical(service());
  const mixture = await makeChemical(service(), { codigoPf: null, ncm: '3824.99.89', densidade: 1.05 });
  await service().sql(
    `insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, 'TPN20000009', 30)`,
    [mixture.id],
  );
  // The second line of a row has the month, the code and the density.
  for (const [{ id }, code, above, density] of [
    [pure, pure.codigo, '100', '0,79'],
    [mixture, '3824.99.89', '–', '1,05'],
  ] as const) {
    const boxes = await boxesOf(await fileOf(id, { pdf: 'true' }));
    const lineOf = (text: string): number => boxes.find(box => box.text.trim() === text)!.base;
    expect(lineOf(density)).toBeCloseTo(lineOf(code), 1);
    expect(lineOf(density) - lineOf(above)).toBeGreaterThan(1);
  }
});

it('figures in a unit without a factor have no subtotal, in a document and in a spreadsheet', async () => {
  const { id } = await makeChemical(service());
  await service().sql(
    `update unidade_medida set fator_controle = null where id = (select id_unidade_medida from material where id = $1)`,
    [id],
  );
  const texts = (await boxesOf(await fileOf(id, { pdf: 'true' }))).map(({ text }) => text.trim());
  expect(texts).toContain('Subtotais por substância');
  expect(texts.filter(text => /^0,000$/.test(text))).toEqual([]);
  const workbook = await new ExcelJS.Workbook().xlsx.load(
    (await fileOf(id, { planilha: 'true', formatoPlanilha: 'xlsx' })) as never,
  );
  const sheet = workbook.worksheets[0]!;
  const titles = sheet.getRow(1).values as string[];
  const total = sheet.getRow(sheet.rowCount);
  expect(total.getCell(titles.indexOf('Substância')).value).not.toBeNull();
  for (const title of ['Saldo inicial', 'Entradas', 'Saldo final'])
    expect([title, total.getCell(titles.indexOf(title)).value]).toEqual([title, null]);
});
