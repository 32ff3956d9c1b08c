import { beforeAll, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { useService } from './support/service.ts';
import { batchBody, invoiceBody, paths } from './support/stock.ts';

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

it('a controlled material that lacks something is told so when it is written, and not when it is read', async () => {
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

it('a material that nobody controls is told nothing', async () => {
  const { body } = await client.post(materials, { ...controlled, id_tipo_controle: null });
  expect(body.avisos).toBeNull();
});

it('GraphQL tells the same, in the language of the client', async () => {
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

it('a material that becomes a mixture is told that it needs an NCM', async () => {
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

it('an invoice with controlled materials is told what it and its supplier lack, while they wait for approval', async () => {
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
  await service().sql(`update empresa set cnpj = '33444555000181' where id = $1`, [nota.id_fornecedor]);
  const { id_transportadora, id_fornecedor } = nota;
  const { body: after } = await client.put(`${paths.invoices}/${nota.id}`, {
    numero_nf: '123',
    data_emissao: '2026-11-05',
    id_transportadora,
    id_fornecedor,
  });
  expect(after.avisos).toBeNull();
});

it('an invoice without controlled materials is told nothing', async () => {
  const item = await batchBody(service(), { id_material: (await makeMaterial(service())).id });
  const { id: company } = await makeCompany(service());
  const { status, body } = await client.post(
    paths.invoices,
    await invoiceBody(service(), { id_fornecedor: company, lotes: [item] }),
  );
  expect([status, body.avisos]).toEqual([201, null]);
});
