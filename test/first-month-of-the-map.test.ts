import { beforeAll, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { consumed, makeChemical, post } from './support/controlled.ts';
import { makeMaterial } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const area = '/almoxarifadoquimicos';
const map = `${area}/mapa-mensal`;
let almoxarife: Client;

interface Month {
  ano: number;
  mes: number;
  /** Its first day. */
  first: string;
}

/** The month so many months ago. */
async function monthAgo(months: number): Promise<Month> {
  const [row] = await service().sql(
    `select extract(year from m)::int, extract(month from m)::int, m::date::text
     from (select date_trunc('month', current_date::timestamp) - $1 * interval '1 month') x (m)`,
    [months],
  );
  const [ano, mes, first] = row as [number, number, string];
  return { ano, mes, first };
}

const close = ({ ano, mes }: Month) =>
  almoxarife.post(`${map}/fechar`, { ano, mes, ciente_pendencias: true });
const reopen = ({ ano, mes }: Month) => almoxarife.post(`${map}/reabrir`, { ano, mes, motivo: 'Ano errado' });
const send = ({ ano, mes }: Month) =>
  almoxarife.post(`${map}/registrar-envio`, { ano, mes, protocolo: `${ano}/${mes}` });

/** The first days of the months whose map was not sent. */
async function unsent(): Promise<string[]> {
  const { data, errors } = await almoxarife.graphql(
    '{ alertas(tipo: MAPA_NAO_ENVIADO, orderBy: [{ mes: asc }], pagination: false) { data { mes } } }',
  );
  expect(errors).toBeUndefined();
  return data.alertas.data.map(({ mes }: { mes: string }) => mes);
}

const closings = async () => (await almoxarife.get(`${area}/fechamentos-mapa`)).body.data as { id: number }[];

/** Refused on both faces, with the first month that can be closed in the message. */
async function expectTooEarly(month: Month, possible: Month): Promise<void> {
  const [before, alerts] = [await closings(), await unsent()];
  const refused = await close(month);
  expectProblem(refused, 409, 'INVALID_STATE');
  const { data, errors } = await almoxarife.graphql(
    'mutation ($ano: Int!, $mes: Int!) { fecharMapa(ano: $ano, mes: $mes, cientePendencias: true) { id } }',
    { ano: month.ano, mes: month.mes },
  );
  expect([data.fecharMapa, errors![0]!.extensions.code]).toEqual([null, 'INVALID_STATE']);
  for (const text of [refused.body.detail, errors![0]!.message])
    expect(text).toContain(` ${possible.mes}/${possible.ano}`);
  expect([await closings(), await unsent()]).toEqual([before, alerts]);
}

async function expectClosed(month: Month): Promise<void> {
  const { status, body } = await close(month);
  expect(status, JSON.stringify(body)).toBe(200);
}

beforeAll(async () => {
  almoxarife = await service().as('almoxarife');
  // No chemical of the demo is in the map.
  await service().sql('update tipo_controle set mapa_pf = false');
  await service().sql('update material set codigo_pf = null');
  await service().sql('delete from substancia_controlada');
});

it('without a movement it is the last month, whose map is due nevertheless', async () => {
  const { id } = await makeMaterial(service());
  await service().sql(`update material set codigo_pf = 'TPN11112222' where id = $1`, [id]);
  const [last, before] = [await monthAgo(1), await monthAgo(2)];
  expect(await unsent()).toEqual([last.first]);
  await expectTooEarly(before, last);
  // Its batch arrives today.
  await makeChemical(service());
  await expectTooEarly(before, last);
  await expectClosed(last);
  expect((await send(last)).status).toBe(200);
  expect(await unsent()).toEqual([]);
});

it('is that of the first movement of a chemical in the map, and quiet months after it are closed, too', async () => {
  const chemical = await makeChemical(service());
  const [sixth, fifth, eighth] = [await monthAgo(6), await monthAgo(5), await monthAgo(8)];
  await post(service(), consumed(chemical, 5, sixth.first.replace(/01$/, '15')));
  await expectTooEarly({ ano: 2016, mes: 10, first: '2016-10-01' }, sixth);
  await expectTooEarly(eighth, sixth);
  await expectClosed(fifth);
  expect(await unsent()).toEqual(
    await Promise.all([5, 4, 3, 2].map(async ago => (await monthAgo(ago)).first)),
  );
  await expectClosed(sixth);
  expect((await unsent())[0]).toBe(sixth.first);
});

it('has alerts from the first one that is closed: a closing of a mistyped year is reopened', async () => {
  const [fifth, mistyped] = [await monthAgo(5), { ano: 2016, mes: 10, first: '2016-10-01' }];
  const before = await unsent();
  // Earlier versions closed it.
  await service().sql(
    `insert into fechamento_mapa (ano, mes, inicio, fim, nome_arquivo, tamanho, sha256)
     values (2016, 10, '2016-10-01', '2016-11-01', 'M', 1, repeat('0', 64))`,
  );
  expect((await unsent())[0]).toBe(mistyped.first);
  expect((await reopen(mistyped)).status).toBe(200);
  expect(await unsent()).toEqual(before);
  const sixth = await monthAgo(6);
  await expectTooEarly({ ...mistyped, mes: 11 }, sixth);
  expect((await reopen(sixth)).status).toBe(200);
  expect((await unsent())[0]).toBe(fifth.first);
});

it('has an alert alone if it was sent and reopened, until it is sent again', async () => {
  const [fifth, sixth, seventh] = [await monthAgo(5), await monthAgo(6), await monthAgo(7)];
  const before = await unsent();
  await post(service(), consumed(await makeChemical(service()), 5, seventh.first.replace(/01$/, '15')));
  await expectClosed(seventh);
  expect((await send(seventh)).status).toBe(200);
  expect(await unsent()).toEqual([sixth.first, ...before]);
  expect((await reopen(seventh)).status).toBe(200);
  expect(await unsent()).toEqual([seventh.first, ...before]);
  expect(before[0]).toBe(fifth.first);
  await expectClosed(seventh);
  expect((await send(seventh)).status).toBe(200);
  expect(await unsent()).toEqual([sixth.first, ...before]);
});
