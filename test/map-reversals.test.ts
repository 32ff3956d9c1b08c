import { expect, it } from 'vitest';
import { consumed, entered, makeChemical, makePartner, post, type Chemical } from './support/controlled.ts';
import { useService } from './support/service.ts';
import { makeInvoice, paths, type Body } from './support/stock.ts';

/** A reversal of what a closed month told takes off what was told, whatever changes in the records behind it. */

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const map = '/almoxarifadoquimicos/mapa-mensal';
const materials = '/almoxarifadoquimicos/materiais';
let numbers = 6000;

async function change(path: string, body: object): Promise<void> {
  const { status, body: answer } = await (await service().as('almoxarife')).post(`${map}/${path}`, body);
  expect(status, JSON.stringify(answer)).toBe(200);
}
const close = (ano: number, mes: number) => change('fechar', { ano, mes, ciente_pendencias: true });
const reopen = (ano: number, mes: number) => change('reabrir', { ano, mes, motivo: 'Faltou uma nota' });

/** The record, the direction or purpose, the concentration, and the quantity of each line of a code. */
async function linesOf(codigo: string, ano: number, mes: number): Promise<unknown[]> {
  const path = `/relatorios/almoxarifado-quimicos/linhas-mapa?ano=${ano}&mes=${mes}&codigo=${codigo}`;
  const { body } = await (await service().as('tecnico')).get(path);
  return body.data.map((line: Body) => [
    line.registro,
    line.sentido ?? line.finalidade,
    line.concentracao,
    line.quantidade,
  ]);
}

const noted = async (operacao: string): Promise<Body> =>
  makeInvoice(service(), {
    numero_nf: String(++numbers),
    data_emissao: '2023-01-01',
    id_fornecedor: await makePartner(service(), 'Parceiro Ltda'),
    operacao,
  });

async function changeOperation(nota: Body, operacao: string): Promise<void> {
  const client = await service().as('tecnico');
  const { body } = await client.get(`${paths.invoices}/${nota.id}`);
  const answer = await client.put(`${paths.invoices}/${nota.id}`, { ...body, operacao });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const changeMaterial = async (id: number, more: object): Promise<void> => {
  const client = await service().as('admin');
  const { body } = await client.get(`${materials}/${id}`);
  const answer = await client.put(`${materials}/${id}`, { ...body, alterado_por: 1, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

const placePurpose = ({ place }: Chemical, finalidade: number) =>
  service().sql('update "local" set finalidade = $2 where id = $1', [place, finalidade]);

const undone = (idEstornada: number | undefined) => ({ flEstorno: 'S' as const, idEstornada: idEstornada! });

it('takes off the record that was told, if the operation of the invoice has changed since', async () => {
  const acid = await makeChemical(service());
  const nota = await noted('SV');
  const [sold] = await post(service(), consumed(acid, 10_000, '2023-02-10', { idNotaFiscal: nota.id }));
  await close(2023, 2);
  await post(
    service(),
    consumed(acid, 9000, '2023-03-10'),
    consumed(acid, 7000, '2023-03-11', { idNotaFiscal: nota.id }),
    consumed(acid, 4000, '2023-03-12', undone(sold)),
  );
  expect(await linesOf(acid.codigo, 2023, 3)).toEqual([
    ['MVN', 'S', 100, 3],
    ['UC', 2, 100, 9],
  ]);
  await changeOperation(nota, 'EC');
  expect(await linesOf(acid.codigo, 2023, 2)).toEqual([['MVN', 'S', 100, 10]]);
  // What goes out with this invoice is consumption now, and none of it was told in February.
  expect(await linesOf(acid.codigo, 2023, 3)).toEqual([
    ['UC', 2, 100, 9],
    ['UC', 2, 100, 7],
  ]);
});

it('takes off the purpose that was told, if that of the location has changed since', async () => {
  const acid = await makeChemical(service());
  await placePurpose(acid, 2);
  const [used] = await post(service(), consumed(acid, 10_000, '2023-05-10'));
  await close(2023, 5);
  await placePurpose(acid, 3);
  await post(
    service(),
    consumed(acid, 9000, '2023-06-10', { finalidade: 2 }),
    consumed(acid, 9000, '2023-06-11'),
    consumed(acid, 4000, '2023-06-12', undone(used)),
  );
  expect(await linesOf(acid.codigo, 2023, 6)).toEqual([
    ['UC', 2, 100, 5],
    ['UC', 3, 100, 9],
  ]);
});

it('takes off the product that was told, with its factor, if that of the material has changed since', async () => {
  const [acid, other] = [await makeChemical(service()), await makeChemical(service())];
  const [used] = await post(service(), consumed(acid, 10_000, '2023-08-10'));
  await close(2023, 8);
  await changeMaterial(acid.id, { concentracao: 98 });
  await changeMaterial(other.id, { codigo_pf: acid.codigo });
  await service().sql(
    'update unidade_medida set fator_controle = 0.002 where id = (select id_unidade_medida from material where id = $1)',
    [acid.id],
  );
  const back = consumed(acid, 1000, '2023-09-12', undone(used));
  await post(service(), consumed(acid, 4000, '2023-09-10'), consumed(other, 9000, '2023-09-11'), back);
  const september = [
    ['UC', 2, 98, 8],
    ['UC', 2, 100, 8],
  ];
  expect(await linesOf(acid.codigo, 2023, 9)).toEqual(september);
  // Also after the material has left the map.
  await service().sql(`update material set lista_pf = 'VII' where id = $1`, [acid.id]);
  expect(await linesOf(acid.codigo, 2023, 9)).toEqual(september.slice(1));
});

it('takes nothing off for what was not told, because the material entered the map later', async () => {
  const [acid, soap] = [await makeChemical(service()), await makeChemical(service())];
  await service().sql('update material set codigo_pf = null where id = $1', [soap.id]);
  const [used] = await post(service(), consumed(soap, 10_000, '2023-10-10'), consumed(acid, 1, '2023-10-10'));
  await close(2023, 10);
  await changeMaterial(soap.id, { codigo_pf: soap.codigo });
  await post(service(), consumed(soap, 9000, '2023-11-10'), consumed(soap, 4000, '2023-11-12', undone(used)));
  expect(await linesOf(soap.codigo, 2023, 11)).toEqual([['UC', 2, 100, 9]]);
});

it('takes off what the last closing of the month told, or what the records say while the month is open', async () => {
  const acid = await makeChemical(service());
  const nota = await noted('EC');
  const [bought, used] = await post(
    service(),
    entered(acid, 20_000, '2024-01-05', { idNotaFiscal: nota.id }),
    consumed(acid, 10_000, '2024-01-10'),
  );
  await placePurpose(acid, 2);
  await close(2024, 1);
  await placePurpose(acid, 3);
  await post(
    service(),
    entered(acid, 6000, '2024-02-05', { idNotaFiscal: nota.id }),
    consumed(acid, 9000, '2024-02-10', { finalidade: 2 }),
    consumed(acid, 9000, '2024-02-11', { finalidade: 3 }),
    consumed(acid, 9000, '2024-02-11', { finalidade: 4 }),
    entered(acid, 1000, '2024-02-12', { ...undone(bought), idTipoMovimentacao: 1 }),
    consumed(acid, 4000, '2024-02-12', undone(used)),
  );
  const february = (...quantities: number[]) => [
    ['MVN', 'E', 100, 5],
    ...quantities.map((quantity, i) => ['UC', i + 2, 100, quantity]),
  ];
  expect(await linesOf(acid.codigo, 2024, 2)).toEqual(february(5, 9, 9));
  await reopen(2024, 1);
  expect(await linesOf(acid.codigo, 2024, 2)).toEqual(february(9, 5, 9));
  await close(2024, 1);
  await placePurpose(acid, 4);
  expect(await linesOf(acid.codigo, 2024, 2)).toEqual(february(9, 5, 9));
  const [[told]] = (await service().sql(
    'select count(distinct id_fechamento)::int from informado_mapa where id_movimentacao = $1',
    [used],
  )) as [[number]];
  expect(told).toBe(2);
});

it('takes off what the records say, if an earlier version closed the month', async () => {
  const acid = await makeChemical(service());
  await placePurpose(acid, 2);
  const [used] = await post(service(), consumed(acid, 10_000, '2024-04-10'));
  await close(2024, 4);
  await service().sql('alter table informado_mapa disable trigger user');
  await service().sql('delete from informado_mapa where id_movimentacao = $1', [used]);
  await service().sql('alter table informado_mapa enable trigger user');
  await placePurpose(acid, 3);
  await post(service(), consumed(acid, 9000, '2024-05-11'), consumed(acid, 4000, '2024-05-12', undone(used)));
  expect(await linesOf(acid.codigo, 2024, 5)).toEqual([['UC', 3, 100, 5]]);
});

it('takes off what is in the file, if a record changes while the month is closed', async () => {
  const acid = await makeChemical(service());
  await placePurpose(acid, 2);
  const [used] = await post(service(), consumed(acid, 10_000, '2024-07-10'));
  await service().sql(`create function muda_local() returns trigger language plpgsql as $$
    begin
      update "local" set finalidade = 5 where id = ${acid.place};
      return new;
    end $$`);
  await service().sql(
    'create trigger muda_local before insert on conteudo_mapa for each row execute function muda_local()',
  );
  await close(2024, 7);
  await service().sql('drop function muda_local cascade');
  await placePurpose(acid, 3);
  await post(
    service(),
    consumed(acid, 9000, '2024-08-10', { finalidade: 2 }),
    consumed(acid, 4000, '2024-08-12', undone(used)),
  );
  expect([await linesOf(acid.codigo, 2024, 7), await linesOf(acid.codigo, 2024, 8)]).toEqual([
    [['UC', 2, 100, 10]],
    [['UC', 2, 100, 5]],
  ]);
});
