import { beforeAll, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { consumed, makeChemical, post } from './support/controlled.ts';
import { useService } from './support/service.ts';

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
let client: Client;
/** A material with the NCM of a mixture, whose control type puts it into the map. */
let mixture: object;

beforeAll(async () => {
  client = await service().as('almoxarife');
  const idOf = async (which: string): Promise<unknown> => (await service().sql(which))[0]![0];
  const id_tipo_controle = await idOf('select id from tipo_controle where mapa_pf limit 1');
  const id_unidade_medida = await idOf(`select id from unidade_medida where sigla = 'L'`);
  mixture = {
    titulo: 'Solução de limpeza X',
    descricao: 'Mistura',
    estado_fisico: 'L',
    ncm: '3824.99.89',
    densidade: 1.05,
    id_tipo_controle,
    id_unidade_medida,
    criado_por: 1,
    alterado_por: 1,
  };
});

const bare =
  'substancias_controladas: Cadastre as substâncias controladas da mistura, com a sua porcentagem, ou tire o NCM e informe o código TPN.';
const added = async (idMaterial: number, codigoPf: string): Promise<any> => {
  const { data, errors } = await client.graphql(
    `mutation { criarSubstanciaControlada(input: { idMaterial: ${idMaterial}, codigoPf: "${codigoPf}", concentracao: 30 }) { id avisos } }`,
  );
  expect(errors).toBeUndefined();
  return data.criarSubstanciaControlada;
};
const removed = async (id: number, language = 'pt'): Promise<string[] | null> => {
  const { data, errors } = await client
    .with({ 'accept-language': language })
    .graphql(`mutation { excluirSubstanciaControlada(id: ${id}) { id avisos } }`);
  expect(errors).toBeUndefined();
  expect(data.excluirSubstanciaControlada.id).toBe(id);
  return data.excluirSubstanciaControlada.avisos;
};
const reported = async (id: number): Promise<string[]> => {
  const { body } = await client.get('/relatorios/almoxarifado-quimicos/pendencias-mapa?tabela=material');
  return body.data
    .filter((row: any) => row.id_registro === id)
    .map((row: any) => `${row.campo}: ${row.o_que_fazer}`);
};

it('a material with an NCM is a mixture: it lacks its substances, and no code or concentration of its own', async () => {
  const { body } = await client.post(materials, mixture);
  expect(body.avisos).toEqual([bare]);
  const { body: still } = await client.put(`${materials}/${body.id}`, { ...mixture, concentracao: 30 });
  expect(still.avisos).toEqual([bare]);
  expect((await added(body.id, 'TPN30000101')).avisos).toBeNull();
});

it('a material with both an NCM and a code of its own is told to be one thing', async () => {
  const { body } = await client.post(materials, {
    ...mixture,
    codigo_pf: 'TPN30000102',
    concentracao: 99,
  });
  expect(body.avisos).toEqual([bare]);
  const { body: pure } = await client.put(`${materials}/${body.id}`, {
    ...mixture,
    codigo_pf: 'TPN30000102',
    concentracao: 99,
    ncm: null,
  });
  expect(pure.avisos).toBeNull();
});

it('who removes the last substance of a mixture is told, and so is who reads what the month lacks', async () => {
  const { body } = await client.post(materials, mixture);
  const one = await added(body.id, 'TPN30000103');
  const other = await added(body.id, 'TPN30000104');
  expect(await removed(one.id)).toBeNull();
  expect(await removed(other.id, 'en')).toEqual([
    'substancias_controladas: Register the controlled substances of the mixture with their percentages, or remove the NCM and give it the code (TPN).',
  ]);
});

it('a mixture that moved without its substances is reported with this one sentence', async () => {
  const chemical = await makeChemical(service(), { codigoPf: null, concentracao: null, ncm: '3824.99.89' });
  await service().sql(
    'update material set id_tipo_controle = (select id from tipo_controle where mapa_pf limit 1) where id = $1',
    [chemical.id],
  );
  const [[now]] = (await service().sql('select now()::date::text')) as [[string]];
  await post(service(), consumed(chemical, 1, now));
  expect(await reported(chemical.id)).toEqual([bare]);
});
