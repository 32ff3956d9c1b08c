import { beforeAll, expect, it } from 'vitest';
import { COMPANY, INVOICE, lacking, ofMovements, type Subject } from '../src/domain/control-warnings.ts';
import type { Client } from './support/client.ts';
import { consumed, entered, makeChemical, makePartner, newCnpj, post } from './support/controlled.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { readBy, type PlanNode } from './support/plan.ts';
import { useService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { batchBody, invoiceBody, makeBatch, makeInvoice, moved, paths } from './support/stock.ts';

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
let client: Client;
let controlled: object;
beforeAll(async () => {
  client = await service().as('almoxarife');
  const [[tipo]] = (await service().sql('select id from tipo_controle where mapa_pf limit 1')) as [[number]];
  const [[frasco]] = (await service().sql(`select id from unidade_medida where sigla = 'frasco'`)) as [
    [number],
  ];
  controlled = {
    titulo: 'Tolueno',
    descricao: 'P.A.',
    estado_fisico: 'L',
    id_unidade_medida: frasco,
    id_tipo_controle: tipo,
    criado_por: 1,
    alterado_por: 1,
  };
});

const whole = { codigo_pf: 'TPN30000001', densidade: 0.87, concentracao: 99 };
const fieldsOf = (avisos: string[]): string[] => avisos.map(aviso => aviso.split(':')[0]!);
const litre = async (): Promise<number> =>
  (await service().sql(`select id from unidade_medida where sigla = 'L'`))[0]![0] as number;

it('a write of a controlled material with missing data gets warnings, and a read gets none', async () => {
  const { body } = await client.post(materials, controlled);
  expect(body.avisos).toEqual([
    'codigo_pf: Informe o código da Polícia Federal (TPN) no material.',
    'densidade: Informe a densidade no material, em kg/L.',
    'concentracao: Informe a concentração no material. O mapa não tem como dizer menos de 1 %.',
    'fator_controle: Informe na unidade quantos quilogramas ou litros ela é.',
  ]);
  const path = `${materials}/${body.id}`;
  expect((await client.get(path)).body.avisos).toBeNull();
  const { body: known } = await client.put(path, { ...controlled, ...whole });
  expect(fieldsOf(known.avisos)).toEqual(['fator_controle']);
  const { body: counted } = await client.put(path, {
    ...controlled,
    ...whole,
    id_unidade_medida: await litre(),
  });
  expect(counted.avisos).toBeNull();
});

it('a material that is not controlled gets no warnings', async () => {
  const { body } = await client.post(materials, { ...controlled, id_tipo_controle: null });
  expect(body.avisos).toBeNull();
});

it('GraphQL gives the same warnings, in the language of the client', async () => {
  const { body } = await client.post(materials, controlled);
  const change = (input: string) =>
    client
      .with({ 'accept-language': 'en' })
      .graphql(`mutation { atualizarMaterial(id: ${body.id}, input: ${input}) { titulo avisos } }`);
  const { data, errors } = await change(
    `{ titulo: "Tolueno", descricao: "D", estadoFisico: LIQUIDO, idUnidadeMedida: ${body.id_unidade_medida}, codigoPf: "TPN30000002", concentracao: 99 }`,
  );
  expect(errors).toBeUndefined();
  expect(data.atualizarMaterial).toEqual({
    titulo: 'Tolueno',
    avisos: [
      'densidade: Give the material its density, in kg/L.',
      'fator_controle: Give the unit its factor: how many kilograms or litres it is.',
    ],
  });
});

it('a material that becomes a mixture gets the warning that it needs an NCM', async () => {
  const { body } = await client.post(materials, {
    ...controlled,
    densidade: 1,
    id_tipo_controle: null,
    id_unidade_medida: await litre(),
  });
  expect(body.avisos).toBeNull();
  const { data } = await client.graphql(
    `mutation { criarSubstanciaControlada(input: { idMaterial: ${body.id}, codigoPf: "TPN30000003", concentracao: 5 }) { avisos } }`,
  );
  expect(fieldsOf(data.criarSubstanciaControlada.avisos)).toEqual(['ncm']);
});

it('a substance that leaves a mixture gets warnings about that mixture, also if it leaves the map', async () => {
  const { id_tipo_controle } = controlled as { id_tipo_controle: number };
  const mixture = async (titulo: string, tipo: number | null): Promise<number> => {
    const { body } = await client.post(materials, {
      ...controlled,
      titulo,
      ncm: '3824.99.89',
      densidade: 1.05,
      id_tipo_controle: tipo,
      id_unidade_medida: await litre(),
    });
    return body.id;
  };
  const [mapped, plain, target] = [
    await mixture('Mistura mapeada', id_tipo_controle),
    await mixture('Mistura comum', null),
    await mixture('Mistura de destino', null),
  ];
  const write = async (mutation: string): Promise<{ id: number; avisos: string[] | null }> => {
    const { data, errors } = await client.graphql(`mutation { r: ${mutation} { id avisos } }`);
    expect(errors).toBeUndefined();
    return data.r;
  };
  const input = (idMaterial: number, concentracao = 30) =>
    `input: { idMaterial: ${idMaterial}, codigoPf: "TPN30000101", concentracao: ${concentracao} }`;
  const add = (idMaterial: number) => write(`criarSubstanciaControlada(${input(idMaterial)})`);
  const move = (id: number, idMaterial: number) =>
    write(`atualizarSubstanciaControlada(id: ${id}, ${input(idMaterial)})`);
  const remove = (id: number) => write(`excluirSubstanciaControlada(id: ${id})`);
  const without =
    'Cadastre as substâncias controladas da mistura, com a sua porcentagem, ou tire o NCM e informe o código TPN.';
  const outside =
    'Sem substâncias controladas, a mistura já não entra no mapa. Se ainda tem alguma, cadastre-a.';

  const first = await add(mapped);
  expect(first.avisos).toBeNull();
  expect((await move(first.id, plain)).avisos).toEqual([
    `substancias_controladas: Mistura mapeada: ${without}`,
  ]);
  expect((await move(first.id, target)).avisos).toEqual([
    `substancias_controladas: Mistura comum: ${outside}`,
  ]);
  const { id } = await add(mapped);
  expect((await remove(id)).avisos).toEqual([`substancias_controladas: ${without}`]);
  expect((await remove(first.id)).avisos).toEqual([`substancias_controladas: ${outside}`]);

  // A mixture that keeps another substance lacks nothing, and one of list VII was never in the map.
  const kept = await add(plain);
  await write(`criarSubstanciaControlada(${input(plain).replace('101', '102')})`);
  expect((await move(kept.id, target)).avisos).toBeNull();
  await service().sql(`update material set lista_pf = 'VII' where id = $1`, [target]);
  expect((await remove(kept.id)).avisos).toBeNull();
});

it('an invoice with controlled materials gets warnings about itself and its supplier, while they wait for approval', async () => {
  const { body: material } = await client.post(materials, { ...controlled, ...whole });
  const id_local = (await makePlace(service())).id;
  const item = await batchBody(service(), { id_material: material.id, id_local });
  const numero_nf = '12345678901';
  const { body: nota } = await client.post(
    paths.invoices,
    await invoiceBody(service(), { numero_nf, lotes: [item] }),
  );
  expect(nota.avisos).toEqual([
    'data_emissao: Informe a data de emissão da nota fiscal.',
    'numero_nf: O mapa tem 10 posições para o número da nota fiscal.',
    'cnpj: Informe o CNPJ do fornecedor.',
  ]);
  await service().sql('update empresa set cnpj = $2 where id = $1', [nota.id_fornecedor, newCnpj()]);
  const { id_transportadora, id_fornecedor } = nota;
  const { body: after } = await client.put(`${paths.invoices}/${nota.id}`, {
    numero_nf: '123',
    data_emissao: '2026-11-05',
    id_transportadora,
    id_fornecedor,
  });
  expect(after.avisos).toBeNull();
});

it('an invoice without controlled materials gets no warnings', async () => {
  const item = await batchBody(service(), { id_material: (await makeMaterial(service())).id });
  const { id: company } = await makeCompany(service());
  const { status, body } = await client.post(
    paths.invoices,
    await invoiceBody(service(), { id_fornecedor: company, lotes: [item] }),
  );
  expect([status, body.avisos]).toEqual([201, null]);
});

it('a movement of a controlled material gets warnings about data that the map needs, also while it waits', async () => {
  const chemical = await makeChemical(service());
  const plain = await makeBatch(service(), { id_local: chemical.place });
  const out = (idLote: number, more: object = {}) => ({
    id_lote: idLote,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: chemical.place,
    quantidade: 1,
    fl_estorno: 'N',
    ...more,
  });
  const answer = await moved(
    service(),
    out(chemical.idLote),
    out(chemical.idLote, { finalidade: 2 }),
    out(plain.id),
    { ...out(chemical.idLote, { id_tipo_movimentacao: 2 }), id_local_destino_fim: chemical.place },
  );
  const of = (id: number, tipo: number, finalidade: number | null) =>
    answer.find(
      one => one.id_lote === id && one.id_tipo_movimentacao === tipo && one.finalidade === finalidade,
    );
  expect(of(chemical.idLote, 4, null).avisos).toEqual([
    'finalidade: Informe a finalidade do local de onde saiu, ou a da saída, se ela ainda espera aprovação; senão, estorne-a e a registre com a finalidade.',
  ]);
  expect(fieldsOf(of(chemical.idLote, 2, null).avisos)).toEqual(['id_nota_fiscal']);
  expect([of(chemical.idLote, 4, 2).avisos, of(plain.id, 4, null).avisos]).toEqual([null, null]);
  const { id: id_nota_fiscal } = await makeInvoice(service(), {
    operacao: 'SD',
    data_emissao: '2026-11-05',
    id_fornecedor: await makePartner(service(), 'Universidade vizinha'),
  });
  const [given] = await moved(service(), out(chemical.idLote, { id_nota_fiscal }));
  expect(given.avisos).toBeNull();

  const watched = await makeChemical(service(), { controlado: true });
  const [waiting] = await moved(service(), { ...out(watched.idLote), id_local_origem_fim: watched.place });
  expect([waiting.id_status_movimentacao, fieldsOf(waiting.avisos)]).toEqual([1, ['finalidade']]);
  const path = `${paths.movements}/${waiting.id}`;
  const { body: changed } = await client.put(path, { ...waiting, finalidade: 2 });
  expect(changed.avisos).toBeNull();
  expect(fieldsOf((await client.put(path, { ...waiting, finalidade: null })).body.avisos)).toEqual([
    'finalidade',
  ]);
  const { data } = await client.graphql(
    `mutation { estornarMovimentacao(id: ${of(chemical.idLote, 4, null).id}) { avisos } }`,
  );
  expect(data.estornarMovimentacao.avisos).toBeNull();
});

it('a write of a unit or a company that the map needs gets warnings about missing data', async () => {
  const chemical = await makeChemical(service());
  const partner = await makePartner(service(), 'Fornecedor');
  const nota = await makeInvoice(service(), { id_fornecedor: partner, data_emissao: '2026-11-05' });
  await post(service(), entered(chemical, 1, '2026-11-06', { idNotaFiscal: nota.id }));
  const company = '/almoxarifadoquimicos/empresas';
  const { body } = await client.get(`${company}/${partner}`);
  const written = async (cnpj: string | null) =>
    (await client.put(`${company}/${partner}`, { ...body, criado_por: 1, alterado_por: 1, cnpj })).body
      .avisos;
  expect(await written(body.cnpj)).toBeNull();
  expect(await written(null)).toEqual(['cnpj: Informe o CNPJ do fornecedor.']);
  expect(await written('11222333000182')).toEqual([
    'cnpj: Confira o CNPJ do fornecedor: os dígitos verificadores não correspondem.',
  ]);
  const { id: stranger } = await makeCompany(service());
  const { body: other } = await client.get(`${company}/${stranger}`);
  expect(
    (await client.put(`${company}/${stranger}`, { ...other, criado_por: 1, alterado_por: 1 })).body.avisos,
  ).toBeNull();

  const [[unit]] = (await service().sql('select id_unidade_medida from material where id = $1', [
    chemical.id,
  ])) as [[number]];
  const unitWith = async (fator: number | null) =>
    (
      await client.graphql(
        `mutation { atualizarUnidadeMedida(id: ${unit}, input: { fatorControle: ${fator} }) { avisos } }`,
      )
    ).data.atualizarUnidadeMedida.avisos;
  expect(await unitWith(null)).toEqual([
    'fator_controle: Informe na unidade quantos quilogramas ou litros ela é.',
  ]);
  expect(await unitWith(1)).toBeNull();
});

it('an invoice and a company of which all was undone in its month get no warnings', async () => {
  const chemical = await makeChemical(service());
  const { id: company } = await makeCompany(service());
  const nota = await makeInvoice(service(), { id_fornecedor: company, data_emissao: null });
  const [came] = await post(service(), entered(chemical, 5, '2026-09-06', { idNotaFiscal: nota.id }));
  const empresas = '/almoxarifadoquimicos/empresas';
  const { body: record } = await client.get(`${empresas}/${company}`);
  const { numero_nf, id_transportadora, id_fornecedor } = nota;
  const written = async (): Promise<string[]> => {
    const answers = [
      await client.put(`${empresas}/${company}`, { ...record, criado_por: 1, alterado_por: 1 }),
      await client.put(`${paths.invoices}/${nota.id}`, { numero_nf, id_transportadora, id_fornecedor }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return answers.map(({ body }) => fieldsOf(body.avisos ?? []).join());
  };
  const undo = (quantity: number, day: string) =>
    post(
      service(),
      entered(chemical, quantity, day, { flEstorno: 'S', idEstornada: came!, idTipoMovimentacao: 1 }),
    );
  const missing = ['cnpj', 'data_emissao,cnpj'];
  await undo(4, '2026-09-30');
  expect(await written()).toEqual(missing);
  await undo(1, '2026-09-30');
  expect(await written()).toEqual(['', '']);

  // What is undone in a later month stays in the map of its own.
  const [later] = await post(service(), entered(chemical, 5, '2026-09-06', { idNotaFiscal: nota.id }));
  await post(
    service(),
    entered(chemical, 5, '2026-10-01', { flEstorno: 'S', idEstornada: later!, idTipoMovimentacao: 1 }),
  );
  expect(await written()).toEqual(missing);
});

it('warnings are found by keys, among any number of movements, invoices and materials', async () => {
  const chemical = await makeChemical(service());
  const partner = await makePartner(service(), 'Fornecedor de um pedido');
  const nota = await makeInvoice(service(), { id_fornecedor: partner });
  const [came] = await post(service(), entered(chemical, 1, '2026-11-06', { idNotaFiscal: nota.id }));
  const others = 2_000;
  const other = await makeChemical(service());
  await post(service(), ...Array.from({ length: others }, () => consumed(other, 1, '2026-11-06')));
  await service().sql(
    `insert into nota_fiscal (numero_nf, id_fornecedor, id_transportadora)
     select n, $1, $1 from generate_series(1, ${others}) n`,
    [nota.id_transportadora],
  );
  await service().sql(
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select 'Outro ' || n, '', 'L', 1 from generate_series(1, ${others}) n`,
  );
  await service().sql('analyze');

  /** How many rows are read to find the warnings about a record. */
  const rowsRead = async (subject: Subject, id: number): Promise<number> => {
    let text = '';
    const executeQuery = async (statement: { sql: string }): Promise<object> => {
      text = statement.sql;
      return { rows: [] };
    };
    await lacking({ getKysely: () => ({ executeQuery }) } as never, subject, [id], {} as never);
    // As in a write of the service.
    const settings = `set join_collapse_limit = 4; set random_page_cost = 1.1; set plan_cache_mode = force_generic_plan`;
    const rows = await sql(
      service().databaseUrl,
      `${settings}; prepare warnings (int[]) as ${text}; explain (analyze, timing off, format json) execute warnings ('{${id}}')`,
    );
    const [[[{ Plan }]]] = rows as [[[{ Plan: PlanNode }]]];
    return readBy(Plan);
  };
  await service().sql('update empresa set cnpj = null where id = $1', [partner]);
  for (const [subject, id] of [
    [INVOICE, nota.id],
    [COMPANY, partner],
    [ofMovements(true), came!],
  ] as const) {
    const read = await rowsRead(subject, id);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(others / 2);
  }
});
