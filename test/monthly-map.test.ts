import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { SubstanciaControlada } from '../src/entities/almoxarifado/substancia-controlada.ts';
import { Material } from '../src/entities/almoxarifado/material.ts';
import {
  consumed,
  entered,
  fileAt,
  makeChemical,
  makePartner,
  newCnpj,
  post,
  type Chemical,
} from './support/controlled.ts';
import { useImports } from './support/imports.ts';
import { makeCompany } from './support/make.ts';
import { pagesOf } from './support/pdf.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { startService, type TestService, useService } from './support/service.ts';
import { readSiproquim, type ReadFile } from './support/siproquim-reader.ts';
import { makeInvoice, paths } from './support/stock.ts';

const CNPJ = '11222333000181';
const service = useService({ INSTITUTION_CNPJ: CNPJ, INSTITUTION_PURPOSE: '2' });
const imports = useImports(service);
const map = '/almoxarifadoquimicos/mapa-mensal';
const warehouses = '/almoxarifadoquimicos/armazens';
const lines = '/relatorios/almoxarifado-quimicos/linhas-mapa';

async function file(ano: number, mes: number): Promise<ReadFile> {
  const { status, text } = await fileAt(service(), `${map}?ano=${ano}&mes=${mes}`);
  expect(status, text).toBe(200);
  return readSiproquim(text);
}

describe('the map of a month', () => {
  let acid: Chemical;
  let mixture: Chemical;
  beforeAll(async () => {
    acid = await makeChemical(service(), { titulo: 'Ácido sulfúrico' });
    mixture = await makeChemical(service(), { titulo: 'Solução X', codigoPf: null, ncm: '3824.99.89' });
    const em = service().services.orm.em.fork();
    const material = em.getReference(Material, mixture.id);
    em.create(SubstanciaControlada, { material, codigoPf: acid.codigo, concentracao: 55.4 } as never);
    await em.flush();
    const nota = await makeInvoice(service(), {
      numero_nf: '12345',
      data_emissao: '2025-03-02',
      id_fornecedor: await makePartner(service(), 'Fornecedor Ação Ltda'),
      id_transportadora: await makePartner(service(), 'Transportadora SA'),
      operacao: 'ED',
    });
    const remark = { observacao: 'Aula prática' };
    const [, , , wrong] = await post(
      service(),
      entered(acid, 12_500, '2025-03-05', { idNotaFiscal: nota.id }),
      consumed(acid, 250, '2025-03-06', remark),
      consumed(acid, 250, '2025-03-06', remark),
      consumed(acid, 80, '2025-03-06', { finalidade: 1 }),
      consumed(mixture, 1_250_000 / 50, '2025-03-07', { finalidade: 5 }),
    );
    await post(
      service(),
      consumed(acid, 30, '2025-03-09', { finalidade: 3, flEstorno: 'S', idEstornada: wrong! }),
    );
  });

  it('is shown by both faces', async () => {
    const client = await service().as('tecnico');
    const { status, body } = await client.get(`${map}?ano=2025&mes=3`);
    expect(status, JSON.stringify(body)).toBe(200);
    const product = { codigo: acid.codigo, concentracao: 100, densidade: 0.79, produto: 'Ácido sulfúrico' };
    expect(body).toMatchObject({
      ano: 2025,
      mes: 3,
      situacao: 'aberto',
      cnpj: CNPJ,
      atividades: ['comercializacaoNacional', 'consumo'],
      fechamento: null,
      produtos: [
        { ...product, substancias: null },
        {
          codigo: '3824.99.89',
          concentracao: null,
          substancias: [{ codigo: acid.codigo, concentracao: 55 }],
        },
      ],
      notas: [
        {
          operacao: 'ED',
          numero_nf: '12345',
          data_emissao: '2025-03-02',
          empresa: { nome: 'Fornecedor Ação Ltda' },
          armazenagem: 'N',
          transporte: 'T',
          transportadora: { nome: 'Transportadora SA' },
          itens: [{ ...product, quantidade: 12.5, unidade: 'L' }],
        },
      ],
      consumos: [
        { ...product, data: '2025-03-06', finalidade: 1, quantidade: 0.05, observacao: null },
        { ...product, data: '2025-03-06', finalidade: 2, quantidade: 0.5, observacao: 'Aula prática' },
        { codigo: '3824.99.89', data: '2025-03-07', finalidade: 5, quantidade: 25 },
      ],
      pendencias: [],
    });
    const { data } = await client.graphql(
      '{ mapaMensal(ano: 2025, mes: 3) { situacao notas { itens { quantidade } } consumos { data quantidade } } }',
    );
    expect(data.mapaMensal).toEqual({
      situacao: 'ABERTO',
      notas: [{ itens: [{ quantidade: 12.5 }] }],
      consumos: body.consumos.map(({ data: day, quantidade }: any) => ({ data: day, quantidade })),
    });
  });

  it('is a file that SIPROQUIM 2 imports', async () => {
    const { name, text } = await fileAt(service(), `${map}?ano=2025&mes=3`, 'tecnico');
    expect(name).toBe(`attachment; filename="M2025MAR${CNPJ}.txt"`);
    const amount = { produto: `PR${acid.codigo}`, concentracao: '100', densidade: '00,79', unidade: 'L' };
    expect(readSiproquim(text)).toMatchObject({
      cnpj: CNPJ,
      mes: 'MAR',
      ano: '2025',
      atividades: '10001000',
      produtos: [{ codigo: acid.codigo, nome: 'ACIDO SULFURICO', concentracao: '100', densidade: '00,79' }],
      compostos: [
        {
          ncm: '3824.99.89',
          nome: 'SOLUCAO X',
          substancias: [{ codigo: acid.codigo, concentracao: '55' }],
        },
      ],
      notas: [
        {
          operacao: 'ED',
          razaoSocial: 'FORNECEDOR ACAO LTDA',
          numeroNf: '0000012345',
          dataEmissao: '02/03/2025',
          transporte: 'T',
          transportadora: { razaoSocial: 'TRANSPORTADORA SA' },
          itens: [{ ...amount, milesimos: 12_500 }],
        },
      ],
      consumos: [
        { ...amount, milesimos: 50, finalidade: '1', observacao: '', data: '06/03/2025' },
        { ...amount, milesimos: 500, finalidade: '2', observacao: 'AULA PRATICA', data: '06/03/2025' },
        { produto: 'PC3824.99.89', milesimos: 25_000, finalidade: '5', data: '07/03/2025' },
      ],
    });
  });

  it('is lines on paper and in spreadsheets', async () => {
    const client = await service().as('tecnico');
    const { body } = await client.get(`${lines}?ano=2025&mes=3`);
    expect(body.data.map((line: any) => [line.registro, line.quantidade])).toEqual([
      ['MVN', 12.5],
      ['UC', 0.05],
      ['UC', 0.5],
      ['UC', 25],
    ]);
    for (const [parameter, type] of [
      ['pdf=true', 'application/pdf'],
      ['planilha=true&formatoPlanilha=xlsx', 'spreadsheetml'],
    ]) {
      const { status, headers } = await client.get(`${lines}?ano=2025&mes=3&${parameter}`);
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining(type!)]);
    }
    const { headers } = client;
    const pdf = await fetch(`${service().url}${lines}?ano=2025&mes=3&pdf=true`, { headers });
    const { extractText, getDocumentProxy } = await import('unpdf');
    const bytes = new Uint8Array(await pdf.arrayBuffer());
    const document = await getDocumentProxy(bytes);
    const { text } = await extractText(document, { mergePages: true });
    expect(text).toContain('Responsável técnico');
    expect(text).toContain('0,550');
  });

  it('follows the settings, and needs the CNPJ of the institution', async () => {
    const other = await startService(
      {
        INSTITUTION_CNPJ: 'AB222333000136',
        INSTITUTION_ACTIVITIES: 'consumo, armazenamento',
        INSTITUTION_PURPOSE: '2',
        SIPROQUIM_LINE_END: 'lf',
        SIPROQUIM_NF: 'left',
        SIPROQUIM_PRODUCTS: 'false',
      },
      service(),
    );
    const { text } = await fileAt(other, `${map}?ano=2025&mes=3`);
    expect(readSiproquim(text, '\n')).toMatchObject({
      cnpj: 'AB222333000136',
      atividades: '00001001',
      geral: false,
      notas: [{ numeroNf: '12345' }],
    });
    await other.stop();
    const nameless = await startService({ INSTITUTION_PURPOSE: '2' }, service());
    expect(await fileAt(nameless, `${map}?ano=2025&mes=3`)).toMatchObject({
      status: 409,
      text: expect.stringContaining('INSTITUTION_CNPJ'),
    });
    await nameless.stop();
  });

  it('has no file while data are missing', async () => {
    await service().sql('update material set densidade = null where id = $1', [acid.id]);
    const client = await service().as('tecnico');
    const { body } = await client.get(`${map}?ano=2025&mes=3`);
    expect(body.pendencias).toMatchObject([{ tabela: 'material', campo: 'densidade', id_registro: acid.id }]);
    const { status, text } = await fileAt(service(), `${map}?ano=2025&mes=3`);
    expect([status, JSON.parse(text)]).toEqual([
      409,
      expect.objectContaining({
        code: 'CONFLICT',
        detail: expect.stringContaining('Veja o relatório “Pendências do mapa de controle”.'),
      }),
    ]);
    await service().sql('update material set densidade = 0.79 where id = $1', [acid.id]);
  });

  it('shows the first of many findings', async () => {
    const base = await makeChemical(service());
    const movements = Array.from({ length: 201 }, () => consumed(base, 1, '2025-09-05'));
    await post(service(), ...movements);
    const other = await startService({}, service());
    const { status, body } = await (await other.as('tecnico')).get(`${map}?ano=2025&mes=9`);
    await other.stop();
    expect([status, body.pendencias.length]).toEqual([200, 200]);
    expect(body.consumos).toMatchObject([{ finalidade: null, quantidade: 0.201 }]);
  });

  it('of a month without movements names the institution alone', async () => {
    expect(await file(2025, 6)).toMatchObject({ mes: 'JUN', produtos: [], notas: [], consumos: [] });
  });

  it('is refused to people who may not read it, and for months that do not exist', async () => {
    const student = await service().as('discente');
    expectProblem(await student.get(`${map}?ano=2025&mes=3`), 403, 'FORBIDDEN');
    const client = await service().as('tecnico');
    expectProblem(await client.get(`${map}?ano=2025&mes=13`), 400, 'BAD_REQUEST');
    expectProblem(await client.get(`${map}?ano=2025`), 400, 'BAD_REQUEST');
  });
});

describe('disposals', () => {
  it('are left out or are consumption for other purposes, depending on the settings', async () => {
    const base = await makeChemical(service());
    await post(service(), consumed(base, 40, '2025-05-05', { idTipoMovimentacao: 5 }));
    expect((await file(2025, 5)).consumos).toEqual([]);
    const environment = { INSTITUTION_CNPJ: CNPJ, SIPROQUIM_DISPOSALS: 'other' };
    const other = await startService(environment, service());
    const { text } = await fileAt(other, `${map}?ano=2025&mes=5`);
    expect(readSiproquim(text).consumos).toMatchObject([
      { milesimos: 40, finalidade: '3', observacao: 'DESCARTE' },
    ]);
    await other.stop();
  });
});

describe('an exit with an invoice', () => {
  it('is not consumption, and an entry with such an invoice is reported and refused', async () => {
    const base = await makeChemical(service());
    const nota = await makeInvoice(service(), {
      numero_nf: 'S77',
      data_emissao: '2025-07-01',
      id_fornecedor: await makePartner(service(), 'Outra Universidade'),
      operacao: 'SD',
    });
    await post(service(), consumed(base, 70, '2025-07-03', { idNotaFiscal: nota.id }));
    expect(await file(2025, 7)).toMatchObject({
      notas: [
        { operacao: 'SD', numeroNf: 'S77', armazenagem: 'F', transporte: 'F', itens: [{ milesimos: 70 }] },
      ],
      consumos: [],
    });
    await post(service(), entered(base, 1, '2025-07-04', { idNotaFiscal: nota.id }));
    const { status, text } = await fileAt(service(), `${map}?ano=2025&mes=7`);
    expect([status, text]).toEqual([409, expect.stringContaining('S77')]);
    const { body } = await (await service().as('tecnico')).get(`${map}?ano=2025&mes=7`);
    expect(body.pendencias).toMatchObject([
      { tabela: 'nota_fiscal', id_registro: nota.id, campo: 'operacao' },
    ]);
  });
});

describe('a third-party warehouse', () => {
  const address = {
    endereco: 'Rua Exemplo',
    numero: '10',
    complemento: 'Galpão 1',
    bairro: 'Centro',
    cep: '70.070-935',
    uf: 'DF',
    codigo_municipio: 5300108,
  };
  const month = `${map}?ano=2025&mes=8`;
  let other: TestService;
  beforeAll(async () => {
    other = await startService(
      { INSTITUTION_CNPJ: CNPJ, INSTITUTION_PURPOSE: '2', SIPROQUIM_WAREHOUSES: 'true' },
      service(),
    );
  });
  afterAll(() => other.stop());

  const findings = async (): Promise<string[][]> => {
    const { body } = await (await other.as('tecnico')).get(month);
    return body.pendencias.map((row: any) => [row.tabela, row.campo]);
  };

  it('of an invoice is in the file if the settings say so, and is reported where it is missing', async () => {
    const client = await service().as('almoxarife');
    const [entering, leaving] = [await makeChemical(service()), await makeChemical(service())];
    const noted = async (numero_nf: string, more: object) =>
      makeInvoice(service(), {
        numero_nf,
        data_emissao: '2025-08-02',
        id_fornecedor: await makePartner(service(), 'Fornecedor'),
        ...more,
      });
    const delivered = await noted('801', { armazenagem: 'S' });
    const stored = await noted('802', { operacao: 'SR', armazenagem: 'T' });
    await post(
      service(),
      entered(entering, 5, '2025-08-03', { idNotaFiscal: delivered.id }),
      consumed(leaving, 7, '2025-08-04', { idNotaFiscal: stored.id }),
    );
    expect((await fileAt(service(), month)).status).toBe(200);
    expect(await findings()).toEqual([
      ['nota_fiscal', 'id_armazem'],
      ['nota_fiscal', 'id_armazem'],
    ]);
    expect((await fileAt(other, month)).status).toBe(409);
    const { id: company } = await makeCompany(service());
    const { status, body: warehouse } = await client.post(warehouses, { ...address, id_empresa: company });
    expect([status, warehouse.cep]).toEqual([201, '70070935']);
    for (const { id, ...nota } of [delivered, stored])
      await client.put(`${paths.invoices}/${id}`, { ...nota, id_armazem: warehouse.id });
    expect(await findings()).toEqual([['empresa', 'cnpj']]);
    expect((await fileAt(other, month)).status).toBe(409);
    const cnpj = newCnpj();
    await service().sql(`update empresa set cnpj = $2, nome = 'Armazém Sul' where id = $1`, [company, cnpj]);
    expect(await findings()).toEqual([]);
    const { text } = await fileAt(other, month);
    const armazem = {
      cnpj,
      razaoSocial: 'ARMAZEM SUL',
      endereco: 'RUA EXEMPLO',
      cep: '70.070-935',
      numero: '10',
      complemento: 'GALPAO 1',
      bairro: 'CENTRO',
      uf: 'DF',
      municipio: '5300108',
    };
    expect(readSiproquim(text).notas).toMatchObject([
      { operacao: 'EC', armazenagem: 'S', armazem },
      { operacao: 'SR', armazenagem: 'T', armazem },
    ]);
    const { text: without } = await fileAt(service(), month);
    expect(readSiproquim(without).notas.map(nota => nota.armazem)).toEqual([undefined, undefined]);
    const { body: view } = await (await other.as('tecnico')).get(month);
    expect(view.notas[0].armazem).toMatchObject({ cnpj, nome: 'Armazém Sul', codigo_municipio: 5300108 });
  });

  it('stands in the document of the lines also where it belongs to the carrier', async () => {
    const [warehouse, company] = (
      await service().sql('select id, id_empresa from armazem order by id limit 1')
    )[0]!;
    const name = 'Logística Norte';
    const [[before]] = (await service().sql('select nome from empresa where id = $1', [company])) as [
      [string],
    ];
    const rename = (nome: string) =>
      service().sql('update empresa set nome = $2 where id = $1', [company, nome]);
    await rename(name);
    onTestFinished(async () => void (await rename(before)));
    const chemical = await makeChemical(service());
    const nota = await makeInvoice(service(), {
      numero_nf: '901',
      id_transportadora: company,
      id_armazem: warehouse,
    });
    await post(service(), entered(chemical, 5, '2025-12-03', { idNotaFiscal: nota.id }));
    const { headers, url } = await service().as('tecnico');
    const answer = await fetch(`${url}${lines}?ano=2025&mes=12&pdf=true`, { headers });
    const text = (await pagesOf(new Uint8Array(await answer.arrayBuffer()))).join(' ');
    expect(text.split(name)).toHaveLength(3);
  });

  it('determines the storage of an invoice where nobody entered it', async () => {
    const client = await service().as('tecnico');
    const [[warehouse]] = (await service().sql('select min(id) from armazem')) as [[number]];
    const chemical = await makeChemical(service());
    const [entry, exit] = [
      await makeInvoice(service(), { numero_nf: '1', id_armazem: warehouse }),
      await makeInvoice(service(), { numero_nf: '2', operacao: 'SR', id_armazem: warehouse }),
    ];
    await post(
      service(),
      entered(chemical, 5, '2025-10-03', { idNotaFiscal: entry.id }),
      consumed(chemical, 7, '2025-10-04', { idNotaFiscal: exit.id }),
    );
    const { body } = await client.get(`${map}?ano=2025&mes=10`);
    expect(body.notas.map(({ armazenagem }: any) => armazenagem)).toEqual(['S', 'T']);
    const { body: other } = await client.get(`${lines}?ano=2025&mes=10`);
    expect(other.data.map((line: any) => line.armazem)).toEqual([
      body.notas[0].armazem.nome,
      body.notas[1].armazem.nome,
    ]);
  });

  it('has the address of its company, once, and a CEP with or without punctuation', async () => {
    const client = await service().as('almoxarife');
    const { id: company } = await makeCompany(service());
    const body = { ...address, id_empresa: company, cep: '70070935' };
    const { body: made } = await client.post(warehouses, body);
    expectProblem(await client.post(warehouses, body), 409, 'DUPLICATE');
    for (const [field, value] of [
      ['cep', '7007093'],
      ['uf', 'XX'],
      ['numero', '123456'],
      ['codigo_municipio', 530010],
    ]) {
      const answer = await client.put(`${warehouses}/${made.id}`, { ...body, [field!]: value });
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual([field]);
    }
    await imports.load(
      'armazens',
      await csv('empresa_nome;endereco;numero;bairro;cep;uf;codigo_municipio', [
        `${await nameOf(company)};Rua Nova;S/N;Sul;1310-100;sp;3550308`,
      ]),
    );
    expect((await client.get(`${warehouses}/${made.id}`)).body).toMatchObject({
      endereco: 'Rua Nova',
      cep: '01310100',
      uf: 'SP',
      complemento: 'Galpão 1',
    });
  });

  const csv = (head: string, rows: readonly string[]): Promise<string> =>
    imports.file([head, ...rows].join('\n'));
  const nameOf = async (id: number): Promise<string> =>
    (await service().sql('select nome from empresa where id = $1', [id]))[0]![0] as string;
});

/** A consumption on a day of the first three months of 2024, and how much of it a reversal some days later undoes. */
const deed = fc.record({
  quantidade: fc.integer({ min: 1, max: 9000 }),
  finalidade: fc.integer({ min: 1, max: 2 }),
  day: fc.integer({ min: 0, max: 85 }),
  undone: fc.option(fc.record({ part: fc.integer({ min: 1, max: 9000 }), later: fc.nat(85) })),
});

test('the consumption of the files is that of the register, to the millilitre', async () => {
  // The quantities are so small that rounding each line would give a different total.
  const chemical = await makeChemical(service(), { fator: 0.0000037, quantidade: 1_000_000 });
  const dayOf = (day: number): string =>
    new Date(Date.UTC(2024, 0, 1 + Math.min(day, 89))).toISOString().slice(0, 10);
  await fc.assert(
    fc.asyncProperty(deed, async ({ quantidade, finalidade, day, undone }) => {
      const movement = consumed(chemical, quantidade, dayOf(day), { finalidade });
      const [id] = await post(service(), movement);
      if (undone)
        await post(service(), {
          ...consumed(chemical, Math.min(undone.part, quantidade), dayOf(day + undone.later), {}),
          flEstorno: 'S',
          idEstornada: id!,
        });
    }),
    { numRuns: 60 },
  );
  const client = await service().as('tecnico');
  for (const mes of [1, 2, 3]) {
    const { consumos } = await file(2024, mes);
    const { body } = await client.get(
      `/relatorios/almoxarifado-quimicos/livro-controlados?ano=2024&mes=${mes}&codigo=${chemical.codigo}`,
    );
    for (const finalidade of [1, 2]) {
      const reported = consumos
        .filter(line => line.produto === `PR${chemical.codigo}` && line.finalidade === String(finalidade))
        .reduce((sum, { milesimos }) => sum + milesimos, 0);
      const figure = body.data[0][`consumo${finalidade}`] as number;
      expect(reported).toBe(Math.max(0, Math.round(figure * 1000)));
    }
    const days = consumos.map(({ finalidade, data }) => `${finalidade} ${data}`);
    expect(new Set(days).size).toBe(days.length);
  }
});
