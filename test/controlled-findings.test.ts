import { isValid, verifierDigit } from '@fnando/cnpj';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { cnpjFits } from '../src/domain/cnpj.ts';
import { Material } from '../src/entities/almoxarifado/material.ts';
import { consumed, entered, makeChemical, post } from './support/controlled.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { startService, type TestService, useService } from './support/service.ts';
import { makeBatch, makeInvoice, moved, paths } from './support/stock.ts';

const service = useService();
let batch: any;
let place: number;

/** A chemical with only a code, in a batch that came without an invoice. */
beforeAll(async () => {
  const { id } = await makeMaterial(service());
  const em = service().services.orm.em.fork();
  await em.nativeUpdate(Material, { id }, { codigoPf: 'TPN20000001' });
  place = (await makePlace(service())).id;
  batch = await makeBatch(service(), { id_material: id, id_local: place });
});

const findings = async (record: string, id: number, by: TestService = service()): Promise<string[]> => {
  const { body } = await (
    await by.as('almoxarife')
  ).get(`/relatorios/almoxarifado-quimicos/pendencias-mapa?tabela=${record}`);
  const ours = body.data.filter((row: any) => row.id_registro === id);
  expect(ours.every((row: any) => row.o_que_fazer.length > 20)).toBe(true);
  return ours.map((row: any) => row.campo).toSorted();
};
const out = (more: object = {}) => ({
  id_lote: batch.id,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: place,
  quantidade: 1,
  fl_estorno: 'N',
  ...more,
});

it('missing data of a material and its unit are reported until somebody adds them', async () => {
  const material = batch.id_material;
  expect(await findings('material', material)).toEqual(['concentracao', 'densidade']);
  const [[unit]] = (await service().sql('select id_unidade_medida from material where id = $1', [
    material,
  ])) as [[number]];
  expect(await findings('unidade_medida', unit)).toEqual(['fator_controle']);
  await service().sql('update material set concentracao = 99, densidade = 0.79 where id = $1', [material]);
  await service().sql(`update unidade_medida set unidade_controle = 'L', fator_controle = 1 where id = $1`, [
    unit,
  ]);
  expect(await findings('material', material)).toEqual([]);
  expect(await findings('unidade_medida', unit)).toEqual([]);
});

it('an entry without an invoice is reported, and an invoice without the data that the map needs', async () => {
  const client = await service().as('almoxarife');
  const [[entry]] = (await service().sql('select id from movimentacao where id_lote = $1', [batch.id])) as [
    [number],
  ];
  expect(await findings('movimentacao', entry)).toEqual(['id_nota_fiscal']);
  const { id: fornecedor } = await makeCompany(service());
  const { body: nota } = await client.post(paths.invoices, {
    numero_nf: '12345678901',
    id_transportadora: fornecedor,
    id_fornecedor: fornecedor,
  });
  await moved(service(), {
    ...out(),
    id_tipo_movimentacao: 1,
    id_local_origem_fim: null,
    id_local_destino_fim: place,
    id_nota_fiscal: nota.id,
  });
  expect(await findings('nota_fiscal', nota.id)).toEqual(['data_emissao', 'numero_nf']);
  expect(await findings('empresa', fornecedor)).toEqual(['cnpj']);
  const { id: carrier } = await makeCompany(service());
  await service().sql(`update empresa set nome = null, cnpj = '11222333000182' where id = $1`, [fornecedor]);
  await client.put(`${paths.invoices}/${nota.id}`, {
    numero_nf: '1',
    data_emissao: '2026-11-05',
    id_fornecedor: fornecedor,
    id_transportadora: carrier,
    armazenagem: 'F',
    transporte: 'T',
  });
  expect(await findings('nota_fiscal', nota.id)).toEqual(['armazenagem']);
  expect(await findings('empresa', fornecedor)).toEqual(['cnpj', 'nome']);
  expect(await findings('empresa', carrier)).toEqual(['cnpj']);
});

it('a mixture is reported if a substance has a percentage that the map cannot express', async () => {
  const mixture = await makeChemical(service(), { codigoPf: null, ncm: '3824.99.89' });
  await service().sql(
    `insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, 'TPN20000002', 0.3)`,
    [mixture.id],
  );
  expect(await findings('material', mixture.id)).toEqual(['substancias_controladas']);
  await service().sql('update substancia_controlada set concentracao = 0.6 where id_material = $1', [
    mixture.id,
  ]);
  expect(await findings('material', mixture.id)).toEqual([]);
});

it('mixtures that the map takes for one are reported, if they have other substances', async () => {
  const mixture = async (codigo: string, concentracao: number, densidade = 1.37) => {
    const chemical = await makeChemical(service(), { codigoPf: null, ncm: '3824.99.71', densidade });
    await service().sql(
      `insert into substancia_controlada (id_material, codigo_pf, concentracao)
       values ($1, $2, $3), ($1, 'TPN20000019', 5)`,
      [chemical.id, codigo, concentracao],
    );
    return chemical.id;
  };
  const [one, same, apart] = [
    await mixture('TPN20000011', 30),
    await mixture('TPN20000011', 30.4),
    await mixture('TPN20000012', 30, 1.38),
  ];
  for (const id of [one, same, apart]) expect(await findings('material', id)).toEqual([]);
  const other = await mixture('TPN20000012', 30);
  for (const id of [one, same, other])
    expect(await findings('material', id)).toEqual(['substancias_controladas']);
  expect(await findings('material', apart)).toEqual([]);
  await service().sql(
    `update substancia_controlada set codigo_pf = 'TPN20000011' where codigo_pf = $1 and id_material = $2`,
    ['TPN20000012', other],
  );
  expect(await findings('material', one)).toEqual([]);
  await service().sql(
    `update substancia_controlada set concentracao = 6 where codigo_pf = 'TPN20000019' and id_material = $1`,
    [other],
  );
  expect(await findings('material', one)).toEqual(['substancias_controladas']);
  await service().sql('alter table movimentacao disable trigger user');
  await service().sql(
    `update movimentacao set data = data - interval '3 months' where id_lote in (select id from lote where id_material = $1)`,
    [other],
  );
  await service().sql('alter table movimentacao enable trigger user');
  expect(await findings('material', one)).toEqual([]);
});

function checkDigits(start: string): string {
  const values = Array.from(start, letter => letter.charCodeAt(0) - 48);
  const first = verifierDigit(values);
  return `${first}${verifierDigit([...values, first])}`;
}

it('the check digits of a CNPJ, with letters or without, are those that a library computes', async () => {
  const body = fc.stringMatching(/^[0-9A-Z]{12}$/);
  const given = fc.sample(fc.tuple(body, fc.nat(99)), 200).flatMap(([start, digits]) => {
    return [start + checkDigits(start), start + String(digits).padStart(2, '0')];
  });
  const rows = await service().sql(
    `select c, ${cnpjFits('c')} from unnest($1::text[]) with ordinality as given (c, nth) order by nth`,
    [['12ABC34501DE35', '0'.repeat(14), ...given]],
  );
  expect(rows.slice(0, 2).map(([, fits]) => fits)).toEqual([true, false]);
  for (const [cnpj, fits] of rows) expect([cnpj, fits]).toEqual([cnpj, isValid(cnpj as string)]);
});

it('a consumption without a purpose is reported, unless its location has one', async () => {
  const [none] = await moved(service(), out());
  const [stated] = await moved(service(), out({ finalidade: 2 }));
  expect(await findings('movimentacao', none.id)).toEqual(['finalidade']);
  expect(await findings('movimentacao', stated.id)).toEqual([]);
  const withPurpose = await startService({ INSTITUTION_PURPOSE: '3' }, service());
  expect(await findings('movimentacao', none.id, withPurpose)).toEqual([]);
  await withPurpose.stop();
  await service().sql('update "local" set finalidade = 2 where id = $1', [place]);
  expect(await findings('movimentacao', none.id)).toEqual([]);
});

it('a movement that waits for approval is reported, and a reversal of another month', async () => {
  const [[waiting]] = (await service().sql(
    `select v.id from movimentacao v join lote l on l.id = v.id_lote join material m on m.id = l.id_material
     join tipo_controle c on c.id = m.id_tipo_controle where c.mapa_pf and v.id_status_movimentacao = 1 limit 1`,
  )) as [[number]];
  expect(await findings('movimentacao', waiting)).toContain('id_status_movimentacao');
  const [used] = await moved(service(), out({ finalidade: 2 }));
  const [back] = await moved(service(), out({ finalidade: 2, fl_estorno: 'S' }));
  expect(await findings('movimentacao', back.id)).toEqual([]);
  await service().sql('alter table movimentacao disable trigger user');
  await service().sql(`update movimentacao set data = data - interval '2 months' where id = $1`, [used.id]);
  await service().sql('alter table movimentacao enable trigger user');
  expect(await findings('movimentacao', back.id)).toEqual(['estornos']);
});

it('findings of this month and the last are reported without a month, and others by their month', async () => {
  const client = await service().as('almoxarife');
  const [used] = await moved(service(), out());
  const ago = async (months: number): Promise<void> => {
    await service().sql('alter table movimentacao disable trigger user');
    await service().sql(
      `update movimentacao set data = date_trunc('month', now()) - $2 * interval '1 month' where id = $1`,
      [used.id, months],
    );
    await service().sql('alter table movimentacao enable trigger user');
  };
  await service().sql('update "local" set finalidade = null where id = $1', [place]);
  const found = async (query = ''): Promise<unknown[]> => {
    const { body } = await client.get(`/relatorios/almoxarifado-quimicos/pendencias-mapa?${query}`);
    const ours = body.data.filter((row: any) => row.tabela === 'movimentacao' && row.id_registro === used.id);
    return ours.map((row: any) => `${row.ano}-${row.mes}`);
  };
  const [[ano, mes]] = (await service().sql(
    `select extract(year from d)::int, extract(month from d)::int from (select now() - interval '2 months' as d) m`,
  )) as [[number, number]];
  expect(await found()).toHaveLength(1);
  await ago(1);
  expect(await found()).toHaveLength(1);
  await ago(2);
  expect(await found()).toEqual([]);
  expect(await found(`ano=${ano}&mes=${mes}`)).toEqual([`${ano}-${mes}`]);
  expect(await found(`ano=${ano}`)).toEqual([`${ano}-${mes}`]);
});

it('what was undone in its month leaves no finding of it, its material, its invoice or its company', async () => {
  const chemical = await makeChemical(service(), { densidade: null });
  const { id: company } = await makeCompany(service());
  const { id: nota } = await makeInvoice(service(), {
    numero_nf: '77',
    data_emissao: null,
    id_fornecedor: company,
    id_transportadora: company,
  });
  const day = '2024-04-10';
  const [came, noted, used] = await post(
    service(),
    entered(chemical, 30, day),
    entered(chemical, 20, day, { idNotaFiscal: nota }),
    consumed(chemical, 10, day),
  );
  const found = async (month: string): Promise<string[]> => {
    const { body } = await (
      await service().as('almoxarife')
    ).get(`/relatorios/almoxarifado-quimicos/pendencias-mapa?${month}`);
    return body.data.map((row: any) => `${row.tabela} ${row.campo} ${row.id_registro}`).toSorted();
  };
  const april = 'ano=2024&mes=4';
  const about = [`empresa cnpj ${company}`, `nota_fiscal data_emissao ${nota}`];
  const density = `material densidade ${chemical.id}`;
  const [unknown, aimless] = [`movimentacao id_nota_fiscal ${came}`, `movimentacao finalidade ${used}`];
  expect(await found(april)).toEqual([...about, density, aimless, unknown].toSorted());

  const back = { flEstorno: 'S' as const };
  const [part] = await post(service(), entered(chemical, 29, day, { ...back, idEstornada: came! }));
  expect(part).toBeDefined();
  expect(await found(april)).toContain(unknown);
  await post(service(), entered(chemical, 1, '2024-04-20', { ...back, idEstornada: came! }));
  expect(await found(april)).toEqual([...about, density, aimless].toSorted());
  await post(
    service(),
    entered(chemical, 20, '2024-04-20', { ...back, idEstornada: noted!, idTipoMovimentacao: 1 }),
  );
  expect(await found(april)).toEqual([density, aimless].toSorted());
  // Undone in May, so it is in the map of April.
  const [late] = await post(service(), consumed(chemical, 10, '2024-05-02', { ...back, idEstornada: used! }));
  expect(await found(april)).toEqual([density, aimless].toSorted());
  expect(await found('ano=2024&mes=5')).toEqual([density, `movimentacao estornos ${late}`].toSorted());
});

it('a movement that was undone in the month that somebody closes needs no acknowledgement', async () => {
  const closing = await startService({ INSTITUTION_CNPJ: '11222333000181' }, service());
  const chemical = await makeChemical(service());
  const [used] = await post(service(), consumed(chemical, 10, '2024-06-10'));
  await post(service(), consumed(chemical, 10, '2024-06-11', { flEstorno: 'S', idEstornada: used! }));
  const client = await closing.as('almoxarife');
  const { status, body } = await client.post('/almoxarifadoquimicos/mapa-mensal/fechar', {
    ano: 2024,
    mes: 6,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await closing.stop();
});
