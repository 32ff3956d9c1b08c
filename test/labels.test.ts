import type { Canvas } from '@napi-rs/canvas';
import { BinaryBitmap, HybridBinarizer, QRCodeReader, RGBLuminanceSource, type Result } from '@zxing/library';
import { getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, it } from 'vitest';
import { ClassificacaoRisco } from '../src/entities/almoxarifado/classificacao-risco.ts';
import { IconeRisco } from '../src/entities/almoxarifado/icone-risco.ts';
import { RiscoMaterial } from '../src/entities/almoxarifado/risco-material.ts';
import { Material } from '../src/entities/almoxarifado/material.ts';
import { cornerOf, labelsOn, sheets, type SheetName } from '../src/domain/label-sheets.ts';
import type { Client } from './support/client.ts';
import { makePlace } from './support/make.ts';
import { DPI, drawn, pagesOf, taggedPages } from './support/pdf.ts';
import { png } from './support/png.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService } from './support/service.ts';
import { makeBatch } from './support/stock.ts';

const service = useService();
const BATCHES = '/almoxarifadoquimicos/etiquetas/lotes';
const PLACES = '/almoxarifadoquimicos/etiquetas/locais';
let tecnico: Client;
beforeAll(async () => {
  tecnico = await service().as('tecnico');
});

async function pdfOf(path: string, client = tecnico): Promise<Uint8Array> {
  const answer = await fetch(client.url + path, { headers: client.headers });
  expect(
    answer.status,
    await answer
      .clone()
      .text()
      .catch(() => ''),
  ).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toBe('inline; filename="etiquetas.pdf"');
  return new Uint8Array(await answer.arrayBuffer());
}

/** Pixels of a millimetre. */
const SCALE = DPI / 25.4;

/** What a reader finds in a part of a page; null without a QR code. */
function scanned(
  canvas: Canvas,
  box: { x: number; y: number; width: number; height: number },
): string | null {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(mm => Math.round(mm * SCALE)) as [
    number,
    number,
    number,
    number,
  ];
  const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
  const grey = new Uint8ClampedArray(width * height);
  for (let i = 0; i < grey.length; i++) grey[i] = (data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!) / 3;
  const source = new RGBLuminanceSource(grey, width, height);
  try {
    const found: Result = new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source)));
    return found.getText();
  } catch {
    return null;
  }
}

/** The codes of all places of a page, in their order. */
function codesOn(canvas: Canvas, name: SheetName): (string | null)[] {
  const sheet = sheets[name];
  const [width, height] = sheet.label;
  return Array.from({ length: labelsOn(sheet) }, (_, nth) =>
    scanned(canvas, { ...cornerOf(sheet, nth), width, height }),
  );
}

const batchOf = async (titulo: string): Promise<number> =>
  (
    await service().sql(
      'select l.id from lote l join material m on m.id = l.id_material where m.titulo = $1 order by l.id limit 1',
      [titulo],
    )
  )[0]![0] as number;

const textOf = async (pdf: Uint8Array): Promise<string> => (await pagesOf(pdf)).join(' ');

describe('the QR code of a label', () => {
  it.each(Object.keys(sheets) as SheetName[])('stands on its label of %s, and leads back', async folha => {
    const places = labelsOn(sheets[folha]);
    const ids = [await batchOf('Acetona'), await batchOf('Etanol')];
    const inicio = Math.min(2, places);
    const pdf = await pdfOf(`${BATCHES}?ids=${ids.join(',')}&folha=${folha}&inicio=${inicio}`);
    const codes = ids.map(id => `SII/LOTE/${id}`);
    const found: (string | null)[] = [];
    const { numPages } = await getDocumentProxy(pdf.slice());
    for (let page = 1; page <= numPages; page++) found.push(...codesOn(await drawn(pdf, page), folha));
    const before = Array.from({ length: inicio - 1 }, () => null);
    expect(found.slice(0, before.length + 2)).toEqual([...before, ...codes]);
    expect(found.slice(before.length + 2).filter(Boolean)).toEqual([]);
    for (const [i, qr] of codes.entries()) {
      const { data } = await tecnico.graphql('query ($qr: String!) { lotePorCodigo(qr: $qr) { id } }', {
        qr,
      });
      expect(data.lotePorCodigo).toEqual({ id: ids[i] });
    }
  });

  it('is a picture that its text describes, and the texts beside it are paragraphs', async () => {
    const pdf = await pdfOf(`${BATCHES}?ids=${await batchOf('Acetona')}&folha=ROLO_62X29`);
    const [{ parts, untold }] = (await taggedPages(pdf)) as [Awaited<ReturnType<typeof taggedPages>>[number]];
    expect(untold).toBe('');
    expect(new Set(parts.map(({ role }) => role))).toEqual(new Set(['Figure', 'P']));
    expect(parts.map(({ text }) => text)).toContain('Acetona');
  });

  it('of a location leads to the location', async () => {
    const { id, sigla, nome } = await makePlace(service());
    const pdf = await pdfOf(`${PLACES}?ids=${id}&folha=ROLO_62X29`);
    const [qr] = codesOn(await drawn(pdf, 1), 'ROLO_62X29');
    const { data } = await tecnico.graphql(
      'query ($qr: String!) { localPorCodigo(qr: $qr) { id } lotePorCodigo(qr: $qr) { id } }',
      { qr },
    );
    expect(data).toEqual({ localPorCodigo: { id }, lotePorCodigo: null });
    const text = await textOf(pdf);
    expect(text).toContain(sigla);
    expect(text).toContain(nome);
  });

  it('begins with the address of a page, if there is one, and labels stay valid when it changes', async () => {
    const LABEL_URL = 'https://almoxarifado.universidade.example/';
    const other = await startService({ LABEL_URL }, service());
    const id = await batchOf('Tolueno');
    const client = await other.as('tecnico');
    const pdf = await pdfOf(`${BATCHES}?ids=${id}&folha=ROLO_62X29`, client);
    const [qr] = codesOn(await drawn(pdf, 1), 'ROLO_62X29');
    await other.stop();
    expect(qr).toBe(`${LABEL_URL}SII/LOTE/${id}`);
    const { data } = await tecnico.graphql('query ($qr: String!) { lotePorCodigo(qr: $qr) { id } }', { qr });
    expect(data.lotePorCodigo).toEqual({ id });
  });

  it.each([
    '',
    'SII/LOTE/0',
    'SII/LOTE/999999',
    'SII/LOTE/99999999999',
    'XSII/LOTE/1',
    'SII/LOTE/1/x',
    '(01)0789',
  ])('is not %j', async qr => {
    const { data, errors } = await tecnico.graphql(
      'query ($qr: String!) { lotePorCodigo(qr: $qr) { id } localPorCodigo(qr: $qr) { id } }',
      { qr },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ lotePorCodigo: null, localPorCodigo: null });
  });

  it('may come from a scanner with white space around it, and in other letters', async () => {
    const id = await batchOf('Acetona');
    const { data } = await tecnico.graphql('query ($qr: String!) { lotePorCodigo(qr: $qr) { id } }', {
      qr: ` sii/lote/${id}\r\n`,
    });
    expect(data.lotePorCodigo).toEqual({ id });
  });
});

describe('the label of a batch', () => {
  it('says what it is, until when, what it does, and who controls it', async () => {
    const id = await batchOf('Acetona');
    const [[lote, day]] = (await service().sql(
      `select cod_lote, to_char(data_venc, 'DD/MM/YYYY') from lote where id = $1`,
      [id],
    )) as [[string, string]];
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${id}&folha=A4265`));
    for (const part of [
      'Acetona',
      '(CH₃)₂CO, P.A. ACS, ≥ 99,5 %',
      'CAS 67-64-1',
      `Lote ${lote}`,
      `Validade ${day}`,
      'PERIGO',
      'H225: Líquido e vapores altamente inflamáveis.',
      'H336: Pode provocar sonolência ou vertigem.',
      'P210 P261 P264 P271 P280 P305+P351+P338',
      'Leia a FDS antes de usar',
      'PRODUTO CONTROLADO · Polícia Federal',
    ])
      expect(text).toContain(part);
  });

  it('has what the Army calls it beside the Federal Police, and both without a type of control', async () => {
    const batch = await makeBatch(service());
    const em = service().services.orm.em.fork();
    const label = `Grupo ${'de produtos químicos de uso industrial '.repeat(2)}nº 1`;
    await em.nativeUpdate(Material, { id: batch.id_material }, { rotuloExercito: label });
    const read = async (): Promise<string> =>
      textOf(await pdfOf(`${BATCHES}?ids=${batch.id}&folha=ROLO_62X29`));
    expect(await read()).toContain('PRODUTO CONTROLADO · PCE: Grupo de produtos');
    expect(await read()).toContain('nº 1');
    await em.nativeUpdate(
      Material,
      { id: batch.id_material },
      { rotuloExercito: '5.2', codigoPf: 'TPN40000001' },
    );
    expect(await read()).toContain('PRODUTO CONTROLADO · Polícia Federal · PCE: 5.2');
    await em.nativeUpdate(Material, { id: batch.id_material }, { listaPf: 'VII', rotuloExercito: null });
    expect(await read()).not.toContain('PRODUTO CONTROLADO');
  });

  it('has the codes of its hazards where whole statements do not fit', async () => {
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${await batchOf('Acetona')}&folha=ROLO_62X29`));
    expect(text).toMatch(/H225 H319 H336(?! P)/);
    expect(text).toContain('consulte a FDS');
    expect(text).not.toContain('inflamáveis');
  });

  it('has each precautionary statement of its hazards once, and the concentration', async () => {
    const lote = await withHazards([
      { palavraAdvertencia: 'P', precaucao: 'P280: Use luvas\r\nP201: Obtenha instruções\n' },
      { palavraAdvertencia: 'A', precaucao: 'P280: Use luvas' },
      { palavraAdvertencia: 'A', precaucao: null },
    ]);
    await service().sql('update material set concentracao = 37.5 where id = $1', [lote.id_material]);
    const { data } = await tecnico.graphql(
      `{ etiquetasLotes(ids: [${lote.id}]) { etiquetas { precaucoes concentracao } } }`,
    );
    expect(data.etiquetasLotes.etiquetas).toEqual([
      { precaucoes: ['P201: Obtenha instruções', 'P280: Use luvas'], concentracao: 37.5 },
    ]);
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${lote.id}&folha=A4265`));
    expect(text).toContain('P201: Obtenha instruções. P280: Use luvas');
    expect(text).toContain('37,5 %');
  });

  it('has the pictograms of its hazards, each once', async () => {
    const id = await batchOf('Acetona');
    const { data } = await tecnico.graphql(
      `{ etiquetasLotes(ids: [${id}, ${id}]) { pictogramas { id nome icone } etiquetas { idsPictogramas palavraAdvertencia } } }`,
    );
    const { pictogramas, etiquetas } = data.etiquetasLotes;
    expect(pictogramas.map(({ nome }: { nome: string }) => nome)).toEqual(['Chama', 'Ponto de exclamação']);
    const idsPictogramas = pictogramas.map((one: { id: number }) => one.id);
    expect(etiquetas).toEqual([
      { idsPictogramas, palavraAdvertencia: 'PERIGO' },
      { idsPictogramas, palavraAdvertencia: 'PERIGO' },
    ]);
    // The red of their borders, on the left of the label.
    const canvas = await drawn(await pdfOf(`${BATCHES}?ids=${id}&folha=ROLO_62X29`), 1);
    expect(reddish(canvas)).toBeGreaterThan(500);
  });

  it('of a material without hazard classes does not say that there is no danger', async () => {
    const { id } = await makeBatch(service());
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${id}&folha=ROLO_62X29`));
    expect(text).toContain('Sem classe de perigo cadastrada: consulte a FDS');
    for (const word of ['PERIGO', 'ATENÇÃO', 'PRODUTO CONTROLADO']) expect(text).not.toContain(word);
  });

  it.each([
    [['P', 'A', null], 'PERIGO'],
    [['A', 'N'], 'ATENCAO'],
    [['A', null], null],
    [['N'], 'NENHUMA'],
  ] as const)('with classes of signal words %j has %j', async (words, expected) => {
    const lote = await withHazards(words.map(palavraAdvertencia => ({ palavraAdvertencia })));
    const { data } = await tecnico.graphql(
      `{ etiquetasLotes(ids: [${lote.id}]) { etiquetas { palavraAdvertencia } } }`,
    );
    expect(data.etiquetasLotes.etiquetas).toEqual([{ palavraAdvertencia: expected }]);
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${lote.id}&folha=A4265`));
    expect(text.includes('PERIGO')).toBe(expected === 'PERIGO');
    expect(text.includes('ATENÇÃO')).toBe(expected === 'ATENCAO');
    expect(text.includes('Palavra de advertência: consulte a FDS')).toBe(expected === null);
  });

  it.each([null, 'https://pictogramas.example/1.png', 'data:image/gif;base64,R0lGODdh'])(
    'names a class whose picture it cannot draw: %j',
    async icone => {
      const lote = await withHazards([{ palavraAdvertencia: 'A', icone }]);
      const text = await textOf(await pdfOf(`${BATCHES}?ids=${lote.id}&folha=A4265`));
      expect(text).toContain('Classe de teste 0: H999: Faz mal 0');
    },
  );

  it.each([
    'data:image/svg+xml,<svg',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,%E0%A4%A',
    // Its colours would be wrong.
    `data:image/png;base64,${png(16).toString('base64')}`,
  ])('names a pictogram that it cannot print: %j', async icone => {
    const lote = await withHazards([{ palavraAdvertencia: 'A', icone }]);
    const text = await textOf(await pdfOf(`${BATCHES}?ids=${lote.id}&folha=A4265`));
    expect(text).toContain('Ícone de teste');
    expect(text).toContain('H999: Faz mal 0');
  });
});

/** Pixels that are clearly red. */
function reddish(canvas: Canvas): number {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i]! > 180 && data[i + 1]! < 90 && data[i + 2]! < 90) count++;
  return count;
}

interface Hazard {
  palavraAdvertencia: 'P' | 'A' | 'N' | null;
  icone?: string | null;
  precaucao?: string | null;
}

/** A batch of a material with classes of these signal words and pictures. */
async function withHazards(hazards: readonly Hazard[]): Promise<{ id: number; id_material: number }> {
  const lote = await makeBatch(service());
  const em = service().services.orm.em.fork();
  for (const [i, { palavraAdvertencia, icone = null, precaucao = null }] of hazards.entries())
    em.create(RiscoMaterial, {
      material: em.getReference(Material, lote.id_material as number),
      classificacaoRisco: em.create(ClassificacaoRisco, {
        risco: `Classe de teste ${i}`,
        descricao: `H999: Faz mal ${i}`,
        palavraAdvertencia,
        precaucao,
        iconeRisco: em.create(IconeRisco, { nome: 'Ícone de teste', icone } as never),
      } as never),
    } as never);
  await em.flush();
  return lote as { id: number; id_material: number };
}

describe('a sheet of labels', () => {
  it('has as many copies as are asked for, on as many pages as they need', async () => {
    const id = await batchOf('Acetona');
    const pages = async (query: string) =>
      (await pagesOf(await pdfOf(`${BATCHES}?ids=${id}${query}`))).length;
    expect(await pages('&copias=21')).toBe(1);
    expect(await pages('&copias=21&inicio=2')).toBe(2);
    expect(await pages('&copias=3&folha=ROLO_62X29')).toBe(3);
    const pdf = await getDocumentProxy(await pdfOf(`${BATCHES}?ids=${id}&folha=ROLO_62X29`));
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
    expect([Math.round(width * 10), Math.round(height * 10)]).toEqual([620, 290]);
  });

  it('is refused with what is wrong', async () => {
    const id = await batchOf('Acetona');
    const refused = async (query: string) => {
      const answer = await tecnico.get(`${BATCHES}?${query}`);
      return [answer.status, answer.body.errors?.map(({ field }: { field: string }) => field)];
    };
    expect(await refused('')).toEqual([400, ['ids']]);
    expect(await refused(`ids=${id}&inicio=22`)).toEqual([400, ['inicio']]);
    expect(await refused(`ids=${id}&inicio=0&copias=0`)).toEqual([400, ['inicio', 'copias']]);
    expect(await refused(`ids=${id},${id}&copias=251`)).toEqual([400, ['ids']]);
    expect(await refused(`ids=${id}&folha=A0`)).toEqual([400, ['folha']]);
    expect(await refused(`ids=${id},999999`)).toEqual([404, ['ids[1]']]);
    expect((await tecnico.get(`${PLACES}?ids=999999`)).status).toBe(404);
  });

  it('is printed only for people who may read the records', async () => {
    const docente = await service().as('docente');
    for (const path of [BATCHES, PLACES]) expectProblem(await docente.get(`${path}?ids=1`), 403, 'FORBIDDEN');
  });

  it('is made at its greatest length', async () => {
    const rows = await service().sql('select id from lote order by id limit 100');
    const pdf = await pdfOf(`${BATCHES}?ids=${rows.flat().join(',')}&copias=5&folha=A4260`);
    expect(await pagesOf(pdf)).toHaveLength(24);
  });
});
