import { expect, it } from 'vitest';
import { sheets, type SheetName } from '../src/domain/label-sheets.ts';
import { boxesOf, pagesOf, paintedOn, type PaintedBox, type TextBox } from './support/pdf.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, type Body } from './support/stock.ts';

/** What a label must say of hazards, however long its other texts are. */

const service = useService();
const labels = '/almoxarifadoquimicos/etiquetas/lotes';
const names = Object.keys(sheets) as SheetName[];

/** Hazard classes with danger, each with another pictogram. */
async function classes(count: number): Promise<{ id: number; code: string }[]> {
  const rows = await service().sql(
    `select distinct on (id_icone_risco) id, substring(descricao from '^H[0-9]{3}[A-Za-z]*')
     from classificacao_risco where palavra_advertencia is not null and descricao ~ '^H[0-9]{3}'
     order by id_icone_risco, palavra_advertencia desc, id limit $1`,
    [count],
  );
  expect(rows).toHaveLength(count);
  return rows.map(([id, code]) => ({ id: id as number, code: code as string }));
}

/** Texts that are as long as their columns allow, of words that are not. */
const long = (length: number, word: string): string => `${word} `.repeat(length).slice(0, length - 1) + '.';

const LONGEST = {
  titulo: long(300, 'Tetrafluoroborato de metilimidazólio'),
  descricao: long(4000, 'Reagente analítico\nem cristais'),
  numero_cas: '1234567-89-0 1234567',
  concentracao: 99.1234,
  rotulo_exercito: long(100, 'Tipo 3.2.0190: insumos para explosivos'),
};

/** A batch of a material that a client registered. */
async function batchOf(risks: number, columns: object = LONGEST, more: object = {}): Promise<Body> {
  const client = await service().as('admin');
  const [[unit, type]] = (await service().sql(
    `select (select min(id) from unidade_medida), (select min(id) from tipo_controle where exige_aprovacao)`,
  )) as [[number, number]];
  const created = await client.post('/almoxarifadoquimicos/materiais', {
    titulo: 'Nitrato de amônio',
    descricao: 'Cristais',
    estado_fisico: 'S',
    criado_por: 1,
    alterado_por: 1,
    id_unidade_medida: unit,
    id_tipo_controle: type,
    ...columns,
    riscos: (await classes(risks)).map(({ id }) => ({ id_classificacao_risco: id })),
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const cod_lote = 'LOTE-MUITO-COMPRIDO-01234567890123456789-2026/0001';
  return makeBatch(service(), { id_material: created.body.id, cod_lote, ...more });
}

async function printed(id: number, folha: SheetName) {
  const { url, headers } = await service().as('tecnico');
  const answer = await fetch(`${url}${labels}?ids=${id}&folha=${folha}`, { headers });
  expect(answer.status, await answer.clone().text()).toBe(200);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { bytes, texts: await boxesOf(bytes), ...(await paintedOn(bytes)) };
}

/** From above its capital letters to below its baseline. */
const heightOf = ({ base, points }: TextBox): [top: number, bottom: number] => [
  base - points * 0.26,
  base + points * 0.05,
];

const meets = (one: readonly [number, number], other: readonly [number, number]): boolean =>
  one[0] < other[1] && other[0] < one[1];

/** The band is the only filled box that is wider than 40 mm. */
function bandOf(filled: readonly PaintedBox[]): PaintedBox {
  const bands = filled.filter(({ left, right }) => right - left > 40);
  expect(bands).toHaveLength(1);
  return bands[0]!;
}

/** Checks the label in the first place of a sheet. Returns what stands outside the band. */
async function expectLegible(id: number, folha: SheetName, pictograms: number): Promise<string> {
  const { texts, filled, images } = await printed(id, folha);
  const band = bandOf(filled);
  const inside = texts.filter(text => meets(heightOf(text), [band.top, band.bottom]));
  const outside = texts.filter(text => !inside.includes(text));
  const white = inside.map(({ text }) => text).join(' ');
  expect(white).toMatch(/^PRODUTO CONTROLADO · /);
  expect(white).not.toMatch(/PERIGO|FDS|H\d{3}/);
  for (const text of inside) {
    expect(heightOf(text)[0]).toBeGreaterThan(band.top);
    expect(heightOf(text)[1]).toBeLessThan(band.bottom);
  }
  for (const [i, one] of outside.entries())
    for (const other of outside.slice(i + 1))
      if (meets([one.left, one.right], [other.left, other.right]))
        expect(meets(heightOf(one), heightOf(other)), `${one.text} on ${other.text}`).toBe(false);
  expect(images).toHaveLength(pictograms);
  for (const { left, right, top, bottom } of images) {
    expect(right - left).toBeGreaterThan(4.99);
    expect(bottom - top).toBeGreaterThan(4.99);
    expect(bottom).toBeLessThan(band.top);
    for (const text of outside)
      if (meets([text.left, text.right], [left, right]))
        expect(meets(heightOf(text), [top, bottom]), text.text).toBe(false);
  }
  const text = outside.map(one => one.text).join(' ');
  expect(text).toContain('PERIGO');
  expect(text).toMatch(/H\d{3}/);
  return text;
}

it.each(names)(
  'on %s, the longest texts leave signal word, codes and pictograms their place',
  async folha => {
    const { id } = await batchOf(5);
    await expectLegible(id, folha, 5);
  },
);

it.each(names.filter(name => name !== 'ROLO_62X29'))(
  'on %s, so do nine pictograms, and all their codes are there',
  async folha => {
    const { id } = await batchOf(9);
    const text = await expectLegible(id, folha, 9);
    for (const { code } of await classes(9)) expect(text).toContain(code);
  },
);

it('a usual label loses the end of its band before any code of its hazards', async () => {
  const { id } = await batchOf(4, {
    titulo: 'Nitrato de amônio (teste) – reagente analítico ACS, cristais',
    descricao: 'Cristais, P.A. ACS',
    concentracao: 99,
    rotulo_exercito: 'Tipo 3.2.0190: nitrato de amônio com mais de 70 % e insumos para explosivos',
  });
  const text = await expectLegible(id, 'ROLO_62X29', 4);
  for (const { code } of await classes(4)) expect(text).toContain(code);
  expect((await printed(id, 'ROLO_62X29')).texts.at(-1)!.text).toMatch(/…$/);
});

it('a label on which nobody could read the hazards is refused, with the record and the way out', async () => {
  const [fits, { id }] = [await batchOf(1), await batchOf(9, { titulo: 'Mistura de tudo' })];
  const client = await service().as('tecnico');
  const answer = await client.get(`${labels}?ids=${fits.id},${id}&folha=ROLO_62X29`);
  expectProblem(answer, 400, 'BAD_REQUEST');
  expect(answer.body.errors).toEqual([
    {
      field: 'ids[1]',
      message:
        'a etiqueta de Mistura de tudo (lote LOTE-MUITO-COMPRIDO-01234567890123456789-2026/0001) não cabe legível na folha ROLO_62X29: use uma folha de etiquetas maiores',
    },
  ]);
  expect((await client.get(`${labels}?ids=${fits.id}&folha=ROLO_62X29`)).status).toBe(200);
});

it('a label without hazard classes says so beside the longest texts', async () => {
  const { id } = await batchOf(0);
  for (const folha of names) {
    const { texts, filled } = await printed(id, folha);
    const band = bandOf(filled);
    const outside = texts.filter(text => !meets(heightOf(text), [band.top, band.bottom]));
    expect(outside.map(({ text }) => text).join(' ')).toContain(
      'Sem classe de perigo cadastrada: consulte a FDS',
    );
  }
});

it('a combined hazard statement keeps its whole code', async () => {
  const { id, id_material } = await batchOf(0);
  await service().sql(
    `with classe as (
       insert into classificacao_risco (risco, descricao, id_icone_risco)
       select 'Classe de teste', 'H300+H310+H330: ' || repeat('Fatal se ingerido. ', 20), min(id) from icone_risco
       returning id)
     insert into risco_material (id_material, id_classificacao_risco) select $1, id from classe`,
    [id_material],
  );
  const { bytes } = await printed(id, 'ROLO_62X29');
  expect((await pagesOf(bytes)).join(' ')).toContain('H300+H310+H330');
});

it('the label of a mixture names what is controlled in it, and how much of each', async () => {
  const { id, id_material } = await batchOf(1, { titulo: 'Solução', descricao: 'Mistura' });
  await service().sql(`insert into codigo_pf (codigo, nome) values ('TPN91000001', 'Ácido de teste')`);
  await service().sql(
    `insert into substancia_controlada (id_material, codigo_pf, concentracao)
     values ($1, 'TPN91000002', 5.25), ($1, 'TPN91000001', 30)`,
    [id_material],
  );
  const client = await service().as('tecnico');
  const { data } = await client.graphql(
    `{ etiquetasLotes(ids: [${id}]) { etiquetas { concentracao substancias { nome concentracao } } } }`,
  );
  expect(data.etiquetasLotes.etiquetas).toEqual([
    {
      concentracao: null,
      substancias: [
        { nome: 'Ácido de teste', concentracao: 30 },
        { nome: 'TPN91000002', concentracao: 5.25 },
      ],
    },
  ]);
  for (const folha of names) {
    const { bytes } = await printed(id, folha);
    expect((await pagesOf(bytes)).join(' ')).toContain('Ácido de teste 30 % · TPN91000002 5,25 %');
  }
});

it('the substances of a mixture leave the hazards their place too', async () => {
  const { id, id_material } = await batchOf(5);
  await service().sql(
    `insert into codigo_pf (codigo, nome) select 'TPN9200000' || n, $1 || n from generate_series(1, 5) n`,
    [long(290, 'Dicloroetano')],
  );
  await service().sql(
    `insert into substancia_controlada (id_material, codigo_pf, concentracao)
     select $1, 'TPN9200000' || n, n from generate_series(1, 5) n`,
    [id_material],
  );
  for (const folha of names) expect(await expectLegible(id, folha, 5)).toContain('Dicloroetano');
});

it('the label of a location shows its whole name where there is room', async () => {
  const nome =
    'Depósito central de reagentes inflamáveis e oxidantes do Instituto de Química, bloco K, subsolo';
  const [[id]] = (await service().sql(`insert into "local" (nome, sigla) values ($1, 'DCR') returning id`, [
    nome,
  ])) as [[number]];
  const { url, headers } = await service().as('tecnico');
  for (const folha of names) {
    const path = `/almoxarifadoquimicos/etiquetas/locais?ids=${id}&folha=${folha}`;
    const bytes = new Uint8Array(await (await fetch(url + path, { headers })).arrayBuffer());
    expect((await pagesOf(bytes)).join(' ')).toContain(nome);
    const lowest = (await boxesOf(bytes)).at(-1)!;
    const { page, label, rows } = sheets[folha];
    expect(heightOf(lowest)[1]).toBeLessThan((page[1] - rows * label[1]) / 2 + label[1]);
  }
});
