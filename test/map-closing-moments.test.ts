import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  consumed,
  entered,
  fileAt,
  makeChemical,
  makePartner,
  noon,
  post,
  type Chemical,
} from './support/controlled.ts';
import { sharedLock } from '../src/database/locks.ts';
import { PreparingClient } from '../src/database/preparing-client.ts';
import { eventually } from './support/eventually.ts';
import { lockWaits } from './support/lock-waits.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { readSiproquim } from './support/siproquim-reader.ts';
import { makeInvoice, paths, type Body } from './support/stock.ts';

/** What a closing reads, shows and refuses while others write at the same time. */

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const area = '/almoxarifadoquimicos';
const map = `${area}/mapa-mensal`;
const almoxarife = () => service().as('almoxarife');
const act = async (path: string, body: object) => (await almoxarife()).post(`${map}/${path}`, body);
const close = (ano: number, mes: number, more: object = { ciente_pendencias: true }) =>
  act('fechar', { ano, mes, ...more });
const reopen = (ano: number, mes: number, more: object = {}) =>
  act('reabrir', { ano, mes, motivo: 'Faltou uma nota', ...more });
const approve = async (id: number) => (await almoxarife()).post(paths.approvals, { id_movimentacao: id });

/** Another program, with a transaction that it has begun. It is rolled back unless the test commits it. */
async function beside<T>(begin: string, during: (program: pg.Client) => Promise<T>): Promise<T> {
  const program = new pg.Client({ connectionString: service().databaseUrl });
  await program.connect();
  try {
    await program.query(begin);
    return await during(program);
  } finally {
    await program.end();
  }
}

/** Waits until somebody waits for such a lock. */
const untilWaiting = (such: string): Promise<void> =>
  eventually(async () => expect(await service().sql(lockWaits(such))).not.toEqual([]));

async function change(id: number, changes: object): Promise<void> {
  const client = await almoxarife();
  const path = `${area}/materiais/${id}`;
  const { body } = await client.get(path);
  const { status, body: answer } = await client.put(path, { ...body, alterado_por: 1, ...changes });
  expect(status, JSON.stringify(answer)).toBe(200);
}

/** Does something once, right before the service sends a statement that contains such a text. */
function before(such: string, act: () => Promise<unknown>): void {
  type Method = (this: PreparingClient, ...sent: unknown[]) => unknown;
  const client = PreparingClient.prototype as unknown as Record<'send' | 'together', Method>;
  let isDone = false;
  for (const name of ['send', 'together'] as const) {
    const method = client[name];
    vi.spyOn(client, name).mockImplementation(function (this: PreparingClient, ...sent) {
      if (isDone || !textsOf(sent[0]).includes(such)) return method.apply(this, sent);
      isDone = true;
      return act().then(() => method.apply(this, sent));
    });
  }
}
const textsOf = (sent: unknown): string =>
  [sent]
    .flat()
    .map(statement => (statement as { text?: string }).text ?? String(statement))
    .join('\n');
afterEach(() => vi.restoreAllMocks());

describe('a material that leaves the map while a month is being closed', () => {
  const setMapped = (mapped: boolean) =>
    service().sql(`update tipo_controle set mapa_pf = $1 where descricao = 'Polícia Federal'`, [mapped]);
  afterEach(() => setMapped(true));
  let mes = 0;

  it.each<[string, (acid: Chemical) => Promise<unknown>, object?]>([
    ['by its list', ({ id }) => change(id, { lista_pf: 'VII' })],
    [
      'by its substances and its control',
      async ({ id }) => {
        await service().sql('delete from substancia_controlada where id_material = $1', [id]);
        await setMapped(false);
      },
      { codigoPf: null, concentracao: null, ncm: '3824.99.89' },
    ],
  ])('%s is bound by the closing whose file names it', async (_how, leave, values) => {
    mes += 1;
    const day = `2025-0${mes}-10`;
    const acid = await makeChemical(service(), values);
    if (values)
      await service().sql(
        'insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, $2, 30)',
        [acid.id, acid.codigo],
      );
    await post(service(), entered(acid, 1000, day), consumed(acid, 5, day));
    await service().sql(
      `update material set id_tipo_controle = (select id from tipo_controle where descricao = 'Polícia Federal') where id = $1`,
      [acid.id],
    );
    const [waiting] = (await post(service(), consumed(acid, 700, day))) as [number];
    const closing = await beside('begin; lock table fechamento_mapa in share mode', async program => {
      const asked = close(2025, mes);
      await untilWaiting(`relation = 'fechamento_mapa'::regclass`);
      await leave(acid);
      await program.query('commit');
      return (await asked).body;
    });
    const { text } = await fileAt(service(), `${area}/fechamentos-mapa/${closing.id}`);
    expect(readSiproquim(text).consumos.map(({ milesimos }) => milesimos)).toContain(5);
    const refused = await approve(waiting);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.detail).toContain(`O mapa de ${mes}/2025 está fechado`);
  });
});

describe('the findings of a month that is being closed', () => {
  it('are those of what its file says', async () => {
    const acid = await makeChemical(service());
    const partner = await makePartner(service(), 'Fornecedor');
    const [[right]] = (await service().sql('select cnpj from empresa where id = $1', [partner])) as [
      [string],
    ];
    const wrong = right.replace(/.$/, digit => String((Number(digit) + 1) % 10));
    const setCnpj = (cnpj: string) =>
      service().sql('update empresa set cnpj = $2 where id = $1', [partner, cnpj]);
    await setCnpj(wrong);
    const nota = await makeInvoice(service(), {
      id_fornecedor: partner,
      data_emissao: '2025-06-10',
      operacao: 'EC',
    });
    await post(service(), entered(acid, 5, '2025-06-10', { idNotaFiscal: nota.id as number }));
    expectProblem(await close(2025, 6, {}), 409, 'CONFLICT');
    before('sem_linha', () => setCnpj(right));
    const { status, body } = await close(2025, 6, {});
    expect(status, JSON.stringify(body)).toBe(200);
    const { text } = await fileAt(service(), `${area}/fechamentos-mapa/${body.id}`);
    expect([text.includes(right), text.includes(wrong)]).toEqual([true, false]);
  });
});

describe('the map of a month that somebody reopens', () => {
  it('has the lines of the closing that it shows', async () => {
    const acid = await makeChemical(service());
    await post(service(), consumed(acid, 500, '2025-04-10'));
    await close(2025, 4);
    await service().sql('update material set densidade = 0.95 where id = $1', [acid.id]);
    const client = await almoxarife();
    const shown = await beside('begin; lock table material in access exclusive mode', async program => {
      const asked = client.get(`${map}?ano=2025&mes=4`);
      await untilWaiting(`relation = 'material'::regclass`);
      expect((await reopen(2025, 4)).status).toBe(200);
      await program.query('commit');
      return (await asked).body;
    });
    const line = shown.consumos.find(({ codigo }: Body) => codigo === acid.codigo);
    expect([shown.situacao, shown.fechamento, line.densidade]).toEqual(['aberto', null, 0.95]);
  });

  it('is that of the ledger if it was reopened before its closing is read', async () => {
    expect((await close(2025, 4)).status).toBe(200);
    before('"enviado_por"', () => reopen(2025, 4));
    const { body: shown } = await (await almoxarife()).get(`${map}?ano=2025&mes=4`);
    expect([shown.situacao, shown.fechamento]).toEqual(['aberto', null]);
  });
});

describe('a month that SQL changes', () => {
  it('keeps a pending movement that would get a date in another month', async () => {
    const acid = await makeChemical(service(), { controlado: true });
    const [waiting] = (await post(service(), consumed(acid, 3, '2025-07-31'))) as [number];
    await close(2025, 7);
    const setDate = (data: string) =>
      service().sql('update movimentacao set data = $2 where id = $1', [waiting, data]);
    for (const data of ['2025-08-15', '2025-07-15', '2025-06-29'])
      await expect(setDate(noon(data))).rejects.toMatchObject({ code: 'SI003' });
    await reopen(2025, 7);
    await setDate(noon('2025-08-15'));
    await close(2025, 7);
    await expect(setDate(noon('2025-07-15'))).rejects.toMatchObject({ code: 'SI003' });
  });

  it.each([
    ['UTC', '2025-08-31T22:30:00-03:00', 8],
    ['Pacific/Kiritimati', '2025-09-30T12:00:00-03:00', 9],
    ['Etc/GMT+12', '2025-10-01T00:30:00-03:00', 10],
  ])('waits for a movement at its edge of a session in the zone %s', async (zone, data, mes) => {
    const acid = await makeChemical(service());
    const closing = await beside(`set timezone = '${zone}'; begin`, async program => {
      await program.query(
        `insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim,
           id_local_origem_arm, quantidade, fl_estorno, data) values ($1, 4, 2, $2, $2, 7, 'N', $3)`,
        [acid.idLote, acid.place, data],
      );
      await program.query(
        'update estoque set quantidade = quantidade - 7 where id_lote = $1 and id_local_fim = $2',
        [acid.idLote, acid.place],
      );
      const asked = close(2025, mes);
      await Promise.race([asked, untilWaiting(`locktype = 'advisory'`)]);
      await program.query('commit');
      return (await asked).body;
    });
    const { text } = await fileAt(service(), `${area}/fechamentos-mapa/${closing.id}`);
    expect(text).toContain(acid.codigo);
    expect(readSiproquim(text).consumos.map(({ milesimos }) => milesimos)).toContain(7);
  });
});

it('refuses to close a month that is not over without waiting for those who write in it', async () => {
  const [[ano, mes, name]] = (await service().sql(
    `select extract(year from now())::int, extract(month from now())::int, to_char(now(), 'YYYY-MM')`,
  )) as [[number, number, string]];
  await beside(`begin; select ${sharedLock('mapMonths', `'${name}'`)}`, async () => {
    expectProblem(await close(ano, mes), 409, 'INVALID_STATE');
  });
});

describe('a month that was closed again meanwhile', () => {
  it('gets no protocol and is not reopened in the name of the earlier file', async () => {
    const acid = await makeChemical(service());
    await post(service(), consumed(acid, 100, '2025-05-10'));
    const { body: sent } = await close(2025, 5);
    await reopen(2025, 5, { sha256: sent.sha256.toUpperCase() });
    await service().sql('update material set densidade = 1.11 where id = $1', [acid.id]);
    const { body: latest } = await close(2025, 5);
    expect(latest.sha256).not.toBe(sent.sha256);
    const month = { ano: 2025, mes: 5 };
    const sending = { ...month, protocolo: '2025.05.000123' };
    for (const refused of [
      await act('registrar-envio', { ...sending, sha256: sent.sha256 }),
      await reopen(2025, 5, { sha256: sent.sha256 }),
    ]) {
      expectProblem(refused, 409, 'CONFLICT');
      expect(refused.body.detail).toContain('5/2025');
      expect(refused.body.errors).toMatchObject([{ field: 'sha256' }]);
    }
    const { data, errors } = await (
      await almoxarife()
    ).graphql(
      `mutation ($sha256: String) {
        registrarEnvioMapa(ano: 2025, mes: 5, protocolo: "x", sha256: $sha256) { id }
        reabrirMapa(ano: 2025, mes: 5, motivo: "x", sha256: $sha256) { id }
      }`,
      { sha256: sent.sha256 },
    );
    expect([data, errors!.map(({ extensions }: Body) => extensions.code)]).toEqual([
      { registrarEnvioMapa: null, reabrirMapa: null },
      ['CONFLICT', 'CONFLICT'],
    ]);
    expectProblem(await act('registrar-envio', { ...sending, sha256: 'abc' }), 422, 'VALIDATION_FAILED');
    const { body } = await act('registrar-envio', { ...sending, sha256: latest.sha256 });
    expect(body).toMatchObject({ id: latest.id, protocolo: sending.protocolo });
  });
});
