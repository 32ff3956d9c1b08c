import { expect, it, test } from 'vitest';
import { Material } from '../src/entities/almoxarifado/material.ts';
import {
  consumed,
  entered,
  fileAt,
  makeChemical,
  makePartner,
  post,
  type Chemical,
} from './support/controlled.ts';
import { pagesOf } from './support/pdf.ts';
import { sums } from './support/reports.ts';
import { useService } from './support/service.ts';
import { makeInvoice, type Body } from './support/stock.ts';

/** The register and the lines of the map say the same, figure by figure. */

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const reports = '/relatorios/almoxarifado-quimicos';
const map = '/almoxarifadoquimicos/mapa-mensal';
let numbers = 5000;

const noted = async (operacao: string): Promise<number> => {
  const nota = await makeInvoice(service(), {
    numero_nf: String(++numbers),
    data_emissao: '2024-03-01',
    id_fornecedor: await makePartner(service(), 'Parceiro Ltda'),
    operacao,
  });
  return nota.id;
};

const read = async (path: string): Promise<Body[]> => {
  const { status, body } = await (await service().as('tecnico')).get(`${reports}/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const linesOf = ({ codigo }: Chemical, month: string) => read(`linhas-mapa?${month}&codigo=${codigo}`);
const registerOf = async ({ codigo }: Chemical, month: string): Promise<Body> =>
  (await read(`livro-controlados?${month}&codigo=${codigo}`))[0]!;
const findingsOf = async (ids: readonly number[], month: string): Promise<string[]> =>
  (await read(`pendencias-mapa?${month}&tabela=movimentacao`))
    .filter(row => ids.includes(row.id_registro))
    .map(row => `${row.campo} ${row.id_registro}`)
    .toSorted();

/** The text of a report's PDF. */
const textOf = async (path: string): Promise<string> => {
  const { headers, url } = await service().as('tecnico');
  const answer = await fetch(`${url}${reports}/${path}&pdf=true`, { headers });
  return (await pagesOf(new Uint8Array(await answer.arrayBuffer()))).join(' ');
};

/** The quantities of lines, by record, direction and purpose. */
const amounts = (lines: readonly Body[]): Record<string, number> => {
  const thousandths = sums(
    lines,
    line => [line.registro, line.sentido ?? line.finalidade].join(' '),
    line => Math.round(line.quantidade * 1000),
  );
  return Object.fromEntries(Object.entries(thousandths).map(([key, sum]) => [key, sum / 1000]));
};

test('what moves with an invoice is no consumption, disposal or donation in the register, as in the map', async () => {
  const base = await makeChemical(service());
  const [bought, sold, given] = [await noted('EC'), await noted('SV'), await noted('SD')];
  const [, , , sale] = await post(
    service(),
    entered(base, 20_000, '2024-03-05', { idNotaFiscal: bought }),
    entered(base, 40, '2024-03-05', { idNotaFiscal: bought, idTipoMovimentacao: 2 }),
    entered(base, 10, '2024-03-05', { idTipoMovimentacao: 1 }),
    consumed(base, 3000, '2024-03-06', { idNotaFiscal: sold, finalidade: 1 }),
    consumed(base, 600, '2024-03-06', { idNotaFiscal: given, idTipoMovimentacao: 5 }),
    consumed(base, 100, '2024-03-06'),
    // An invoice of a purchase does not make an exit one of the movements with an invoice.
    consumed(base, 11, '2024-03-06', { idNotaFiscal: bought, finalidade: 3 }),
    consumed(base, 7, '2024-03-06', { idTipoMovimentacao: 5 }),
  );
  const back = (quantidade: number, day: string) =>
    consumed(base, quantidade, day, { flEstorno: 'S', idEstornada: sale!, finalidade: 1 });
  await post(service(), back(1000, '2024-03-20'), back(500, '2024-04-02'));

  const march = await registerOf(base, 'ano=2024&mes=3');
  expect(march).toMatchObject({
    entradas: 20.04,
    doacoes: 0.01,
    consumo1: 0,
    consumo2: 0.1,
    consumo3: 0.011,
    consumo_outro: 0,
    saidas: 2.6,
    descartes: 0.007,
  });
  expect(march.saldo_final - march.saldo_inicial).toBeCloseTo(20.05 - 0.111 - 2.6 - 0.007, 6);
  expect(amounts(await linesOf(base, 'ano=2024&mes=3'))).toEqual({
    'MVN E': march.entradas,
    'MVN S': march.saidas,
    'UC 2': march.consumo2,
    'UC 3': march.consumo3,
  });
  const { data } = await (
    await service().as('tecnico')
  ).graphql(
    `{ livroControlados(ano: 2024, mes: 4, codigo: "${base.codigo}") { data { saidas consumo1 saldoInicial saldoFinal } } }`,
  );
  const [april] = data.livroControlados.data;
  expect(april).toMatchObject({ saidas: -0.5, consumo1: 0, saldoInicial: march.saldo_final });
});

test('what rounding takes from invoices is in the lines of others, and an invoice without a line is a finding', async () => {
  const grams = await makeChemical(service(), { fator: 0.0004 });
  const whole = await makeChemical(service());
  const ids = await post(
    service(),
    entered(grams, 1, '2024-05-05', { idNotaFiscal: await noted('EC') }),
    entered(grams, 1, '2024-05-05', { idNotaFiscal: await noted('EC') }),
    entered(grams, 1, '2024-05-05', { idNotaFiscal: await noted('EC') }),
    entered(whole, 2500, '2024-05-05', { idNotaFiscal: await noted('EC') }),
    consumed(grams, 1, '2024-05-05', { idNotaFiscal: await noted('SD') }),
  );
  const month = 'ano=2024&mes=5';
  expect(await registerOf(grams, month)).toMatchObject({ entradas: 0.001, saidas: 0 });
  expect(amounts(await linesOf(grams, month))).toEqual({ 'MVN E': 0.001 });
  expect(amounts(await linesOf(whole, month))).toEqual({ 'MVN E': 2.5 });
  const [first, , third, , gift] = ids;
  expect(await findingsOf(ids, month)).toEqual([first, third, gift].map(id => `quantidade ${id}`).toSorted());
  const { body } = await (await service().as('tecnico')).get(`${map}?${month}`);
  expect(body.pendencias.filter((row: Body) => row.campo === 'quantidade')).toHaveLength(3);
  // What was undone is missing in no map.
  const undone = (movement: object, idEstornada: number) =>
    post(service(), { ...movement, flEstorno: 'S', idEstornada } as never);
  await undone(entered(grams, 1, '2024-05-09', { idTipoMovimentacao: 1 }), first!);
  await undone(entered(grams, 1, '2024-05-09', { idTipoMovimentacao: 1 }), third!);
  await undone(consumed(grams, 1, '2024-05-09'), gift!);
  const [, second] = ids;
  expect(await registerOf(grams, month)).toMatchObject({ entradas: 0, saidas: 0 });
  expect(await linesOf(grams, month)).toEqual([]);
  expect(await findingsOf(ids, month)).toEqual([`quantidade ${second}`]);
});

test('the lines of many invoices add up to the register, and each is its invoice to less than a gram', async () => {
  const grams = await makeChemical(service(), { fator: 0.00037 });
  const quantities = Array.from({ length: 12 }, (_, i) => 3 + ((i * 7) % 11));
  for (const quantidade of quantities)
    await post(service(), entered(grams, quantidade, '2024-06-05', { idNotaFiscal: await noted('EC') }));
  const lines = await linesOf(grams, 'ano=2024&mes=6');
  const { entradas } = await registerOf(grams, 'ano=2024&mes=6');
  expect(amounts(lines)).toEqual({ 'MVN E': entradas });
  expect(lines).toHaveLength(quantities.length);
  lines.forEach(({ quantidade }, i) =>
    expect(Math.abs(quantidade - quantities[i]! * 0.00037)).toBeLessThan(0.001),
  );
});

it('an invoice is in the map without a quantity while the unit has no factor, and the file is refused', async () => {
  const flask = await makeChemical(service());
  await post(
    service(),
    entered(flask, 30, '2024-07-05', { idNotaFiscal: await noted('EC') }),
    consumed(flask, 2, '2024-07-06'),
  );
  const factor = (value: number | null) =>
    service().sql(
      `update unidade_medida set fator_controle = $2 where id = (select id_unidade_medida from material where id = $1)`,
      [flask.id, value],
    );
  await factor(null);
  const month = 'ano=2024&mes=7';
  const quantities = async () => (await linesOf(flask, month)).map(line => [line.registro, line.quantidade]);
  expect(await quantities()).toEqual([
    ['MVN', null],
    ['UC', null],
  ]);
  const { body } = await (await service().as('tecnico')).get(`${map}?${month}`);
  expect([body.notas[0].itens[0].quantidade, body.consumos[0].quantidade]).toEqual([null, null]);
  expect((await fileAt(service(), `${map}?${month}`)).status).toBe(409);
  await factor(0.001);
  expect(await quantities()).toEqual([
    ['MVN', 0.03],
    ['UC', 0.002],
  ]);
  expect((await fileAt(service(), `${map}?${month}`)).status).toBe(200);
});

it('a product is without a quantity where one of its materials has a unit without a factor', async () => {
  const [known, unknown] = [await makeChemical(service()), await makeChemical(service())];
  const em = service().services.orm.em.fork();
  await em.nativeUpdate(Material, { id: unknown.id }, { codigoPf: known.codigo });
  await service().sql(
    `update unidade_medida set fator_controle = null where id = (select id_unidade_medida from material where id = $1)`,
    [unknown.id],
  );
  await post(
    service(),
    consumed(known, 2, '2024-08-06'),
    consumed(unknown, 2, '2024-08-06'),
    consumed(known, 5, '2024-08-07'),
  );
  const month = 'ano=2024&mes=8';
  expect((await linesOf(known, month)).map(line => line.quantidade)).toEqual([null, 0.005]);
  expect(await registerOf(known, month)).toMatchObject({ consumo2: null, saldo_inicial: null });
});

it('a sum on a document is empty while a part of it is unknown', async () => {
  const titulo = 'Ácido em parte conhecido';
  const [known, unknown] = [
    await makeChemical(service(), { titulo, concentracao: 10 }),
    await makeChemical(service(), { titulo, concentracao: 37 }),
  ];
  await service()
    .services.orm.em.fork()
    .nativeUpdate(Material, { id: unknown.id }, { codigoPf: known.codigo });
  const invoice = await noted('EC');
  await post(
    service(),
    entered(known, 5000, '2023-06-06', { idNotaFiscal: invoice }),
    entered(unknown, 2000, '2023-06-06', { idNotaFiscal: invoice }),
  );
  const factor = (value: number | null) =>
    service().sql(
      `update unidade_medida set fator_controle = $2 where id = (select id_unidade_medida from material where id = $1)`,
      [unknown.id, value],
    );
  const subtotals = async () =>
    (await textOf(`livro-controlados?ano=2023&mes=6&codigo=${known.codigo}`)).split(
      'Subtotais por substância',
    )[1];
  expect(await subtotals()).toContain('7,000');
  await factor(null);
  expect(await subtotals()).toContain(known.codigo);
  expect(await subtotals()).not.toMatch(/[57],000/);
});

it('a product is without a quantity where nobody knows how much a reversal of another month takes off', async () => {
  const [known, unknown] = [await makeChemical(service()), await makeChemical(service())];
  await service()
    .services.orm.em.fork()
    .nativeUpdate(Material, { id: unknown.id }, { codigoPf: known.codigo });
  const factor = (value: number | null) =>
    service().sql(
      `update unidade_medida set fator_controle = $2 where id = (select id_unidade_medida from material where id = $1)`,
      [unknown.id, value],
    );
  await factor(null);
  const undone = (idEstornada: number) => ({ flEstorno: 'S' as const, idEstornada });
  const [used, alsoUsed] = await post(
    service(),
    consumed(unknown, 4, '2023-02-06'),
    consumed(known, 2, '2023-02-06'),
  );
  // What a reversal takes off is unknown.
  await post(service(), consumed(known, 5, '2023-03-07'), consumed(unknown, 4, '2023-03-10', undone(used!)));
  // What it takes off is known, but not how much of it from the first day.
  await post(
    service(),
    consumed(unknown, 1, '2023-04-07'),
    consumed(known, 5, '2023-04-08'),
    consumed(known, 2, '2023-04-10', undone(alsoUsed!)),
  );
  const quantities = async (month: string) => (await linesOf(known, month)).map(line => line.quantidade);
  const [march, april] = ['ano=2023&mes=3', 'ano=2023&mes=4'];
  expect([await quantities(march), await quantities(april)]).toEqual([[null], [null, null]]);
  expect((await fileAt(service(), `${map}?${march}`)).status).toBe(409);
  expect((await registerOf(known, march)).consumo2).toBeNull();
  await factor(0.001);
  expect([await quantities(march), await quantities(april)]).toEqual([[0.001], [0.004]]);
  expect((await registerOf(known, march)).consumo2).toBe(0.001);
});

it('the sums of the map tell entries from exits, and each concentration from others', async () => {
  const [weak, strong] = [
    await makeChemical(service(), { titulo: 'Ácido somado', concentracao: 10 }),
    await makeChemical(service(), { titulo: 'Ácido somado', concentracao: 37 }),
  ];
  const em = service().services.orm.em.fork();
  await em.nativeUpdate(Material, { id: strong.id }, { codigoPf: weak.codigo });
  await post(
    service(),
    entered(weak, 20_000, '2024-09-05', { idNotaFiscal: await noted('EC') }),
    entered(weak, 5000, '2024-09-05', { idNotaFiscal: await noted('ED') }),
    entered(strong, 10_000, '2024-09-05', { idNotaFiscal: await noted('EC') }),
    consumed(weak, 3000, '2024-09-06', { idNotaFiscal: await noted('SV') }),
    consumed(weak, 200, '2024-09-06', { finalidade: 1 }),
    consumed(weak, 300, '2024-09-07', { finalidade: 2 }),
  );
  const text = await textOf(`linhas-mapa?ano=2024&mes=9&codigo=${weak.codigo}`);
  const product = `Ácido somado ${weak.codigo}`;
  expect(text.split('Somas por produto')[1]).toContain(
    `2024 9 MVN E ${product} 10 0,79 L 25,000 2024 9 MVN E ${product} 37 0,79 L 10,000 2024 9 MVN S ${product} 10 0,79 L 3,000`,
  );
  expect(text.split('Somas por produto')[1]).toContain(`2024 9 UC ${product} 10 0,79 L 0,500`);
});

it('a mixture has a subtotal of its own in the register, since an NCM names no substance', async () => {
  const ncm = '3824.99.55';
  const mixtures = [
    await makeChemical(service(), {
      titulo: 'Solução âmbar',
      codigoPf: null,
      ncm,
      densidade: 1.05,
      quantidade: 700,
    }),
    await makeChemical(service(), {
      titulo: 'Solução bege',
      codigoPf: null,
      ncm,
      densidade: 1.2,
      quantidade: 900,
    }),
  ];
  for (const { id } of mixtures)
    await service().sql(
      `insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, 'TPN20000009', 30)`,
      [id],
    );
  const { headers, url } = await service().as('tecnico');
  const answer = await fetch(`${url}${reports}/livro-controlados?codigo=${ncm}&pdf=true`, { headers });
  const text = (await pagesOf(new Uint8Array(await answer.arrayBuffer()))).join(' ');
  const totals = text.split('Subtotais por substância')[1];
  expect(totals).toMatch(
    /Solução âmbar 3824\.99\.55 L 0,000 0,000 0,700 .* Solução bege 3824\.99\.55 L 0,000 0,000 0,900 /,
  );
});
