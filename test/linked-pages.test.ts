import { beforeAll, expect, it } from 'vitest';
import { makeCompany, makeMaterial } from './support/make.ts';
import { useService } from './support/service.ts';

const service = useService();
let material: number;

beforeAll(async () => {
  material = (await makeMaterial(service())).id;
  const { id: company } = await makeCompany(service());
  await service().sql(
    `insert into lote (id_material, id_fabricante, quantidade, cod_lote)
     select $1, $2, 1, code from unnest(array['A', null, 'B']) code`,
    [material, company],
  );
});

it.each(['data { id codLote }', 'total data { id codLote }'])(
  'a page of linked records has those whose last selected value is empty: %s',
  async selection => {
    const query = `query ($id: Int!) { material(id: $id) { lotes { ${selection} } } }`;
    const { data } = await (await service().as('admin')).graphql(query, { id: material });
    expect(data.material.lotes.data.map((lote: { codLote: string | null }) => lote.codLote)).toEqual([
      'A',
      null,
      'B',
    ]);
  },
);

it('pages that several links could mean have names that say which', async () => {
  const admin = await service().as('admin');
  const names = async (type: string) =>
    (await admin.graphql(`{ __type(name: "${type}") { fields { name } } }`)).data.__type.fields
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => /^(estoques|lotes|movimentacoes|notasFiscais)/.test(name))
      .toSorted();
  expect(await names('Empresa')).toEqual([
    'lotes',
    'notasFiscaisByFornecedor',
    'notasFiscaisByTransportadora',
  ]);
  expect(await names('Local')).toEqual([
    'estoquesByLocalArmazenado',
    'estoquesByLocalFim',
    'estoquesMinimos',
    'lotesByLocal',
    'lotesByLocalDestino',
    'movimentacoesByLocalDestinoArm',
    'movimentacoesByLocalDestinoFim',
    'movimentacoesByLocalOrigemArm',
    'movimentacoesByLocalOrigemFim',
  ]);
  const { id } = await makeCompany(service());
  await service().sql(
    `insert into nota_fiscal (numero_nf, id_transportadora, id_fornecedor) select 'T', $1, min(id) from empresa`,
    [id],
  );
  const { data } = await admin.graphql(
    `{ empresa(id: ${id}) { notasFiscaisByTransportadora { total } notasFiscaisByFornecedor { total } } }`,
  );
  expect(data.empresa).toEqual({
    notasFiscaisByTransportadora: { total: 1 },
    notasFiscaisByFornecedor: { total: 0 },
  });
});
