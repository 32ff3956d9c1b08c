import { expect, it } from 'vitest';
import { makeChemical } from './support/controlled.ts';
import { makeMaterial } from './support/make.ts';
import { pagesOf } from './support/pdf.ts';
import { rowsOf, storeroomReports } from './support/reports.ts';
import { useService } from './support/service.ts';
import { makeBatch, type Body } from './support/stock.ts';

/** What stands in the map of the Federal Police is under legal control, and so in the reports of controlled materials. */

const service = useService();
const { controlled, moved } = storeroomReports;

/** The rows of a material in both reports. */
async function rowsAbout(id: number): Promise<Body[]> {
  const client = await service().as('almoxarife');
  const of = (path: string) => rowsOf(client, path, { id_material: String(id) });
  return [...(await of(controlled)), ...(await of(moved))];
}

it('a material with a code is in both, without a control type or with one that controls nothing', async () => {
  const { id } = await makeChemical(service());
  const none = { id_tipo_controle: null, tipo_controle: null, orgao_controlador: null };
  expect(await rowsAbout(id)).toMatchObject([none, none]);
  const [[type]] = (await service().sql(
    `insert into tipo_controle (descricao, exige_aprovacao) values ('Sem controle aqui', false) returning id`,
  )) as [[number]];
  await service().sql('update material set id_tipo_controle = $2 where id = $1', [id, type]);
  const uncontrolled = {
    id_tipo_controle: type,
    tipo_controle: 'Sem controle aqui',
    orgao_controlador: null,
  };
  expect(await rowsAbout(id)).toMatchObject([uncontrolled, uncontrolled]);
});

it('a mixture is in both, and one of list VII in none', async () => {
  const mixture = await makeChemical(service(), { codigoPf: null, ncm: '3824.99.89' });
  expect(await rowsAbout(mixture.id)).toEqual([]);
  await service().sql(
    `insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, 'TPN20000009', 30)`,
    [mixture.id],
  );
  expect(await rowsAbout(mixture.id)).toHaveLength(2);
  await service().sql(`update material set lista_pf = 'VII' where id = $1`, [mixture.id]);
  expect(await rowsAbout(mixture.id)).toEqual([]);
});

it('both can be read by GraphQL, in a document and in a spreadsheet without a control type', async () => {
  const { id } = await makeChemical(service());
  const client = await service().as('almoxarife');
  const { data } = await client.graphql(
    `{ materiaisControlados(idMaterial: ${id}) { data { idTipoControle tipoControle } }
       movimentacoesMateriaisControlados(idMaterial: ${id}) { data { idTipoControle tipoControle } } }`,
  );
  const rows = { data: [{ idTipoControle: null, tipoControle: null }] };
  expect(data).toEqual({ materiaisControlados: rows, movimentacoesMateriaisControlados: rows });
  for (const form of ['pdf', 'planilha'])
    for (const path of [controlled, moved])
      expect((await client.get(`${path}?id_material=${id}&${form}=true`)).status).toBe(200);
});

it('what nobody controls is in none', async () => {
  const { id } = await makeMaterial(service());
  await makeBatch(service(), { id_material: id });
  expect(await rowsAbout(id)).toEqual([]);
});

it('materials of the same name and CAS number have subtotals of their own', async () => {
  const named = { titulo: 'Ácido homônimo', numeroCas: '7647-01-0' };
  const weak = await makeChemical(service(), { ...named, concentracao: 10, quantidade: 7 });
  const strong = await makeChemical(service(), { ...named, concentracao: 37, quantidade: 20 });
  await service().sql(
    `update material set id_unidade_medida = (select id_unidade_medida from material where id = $1) where id = $2`,
    [weak.id, strong.id],
  );
  const { url, headers } = await service().as('almoxarife');
  for (const path of [controlled, moved]) {
    const query = new URLSearchParams({ titulo: named.titulo, pdf: 'true' });
    const answer = await fetch(`${url}${path}?${String(query)}`, { headers });
    expect(answer.status).toBe(200);
    const text = (await pagesOf(new Uint8Array(await answer.arrayBuffer()))).join(' ');
    const totals = text.split('Subtotais por material')[1];
    expect(totals).toMatch(new RegExp(`Ácido homônimo 7647-01-0 ${weak.id} .* 7 .*${strong.id} .* 20 `));
  }
});
