import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { grant, personOf } from './support/permissions.ts';
import { makeBatch, paths } from './support/stock.ts';
import { useService } from './support/service.ts';
import { readThrough } from './support/statements.ts';

const service = useService();
let almoxarife: Client;
let tecnico: Client;
beforeAll(async () => {
  almoxarife = await service().as('almoxarife');
  tecnico = await service().as('tecnico');
});

const day = async (days: number): Promise<string> =>
  (await service().sql('select (current_date + $1::int)::text', [days]))[0]![0] as string;

const FIELDS = `id tipo quantidade minimo diasParaVencer aberto idMaterial idLocal idLote idMovimentacao
  reconhecimento { desde ate motivo pessoa { usuario } }`;

interface Alert {
  id: number;
  tipo: string;
  [field: string]: unknown;
}

/** The alerts of a material, by default the open ones. */
async function alertsOf(idMaterial: number, more = '', client = almoxarife): Promise<Alert[]> {
  const { data, errors } = await client.graphql(
    `{ alertas(idMaterial: ${idMaterial}${more}) { data { ${FIELDS} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.alertas.data;
}

const acknowledge = (id: number, ate: string, client = almoxarife) =>
  client.graphql(
    `mutation ($id: Int!, $ate: Date!) { reconhecerAlerta(id: $id, ate: $ate, motivo: "Pedido 12/2026") { ${FIELDS} } }`,
    { id, ate },
  );
const reopen = (id: number, client = almoxarife) =>
  client.graphql(`mutation { reabrirAlerta(id: ${id}) { ${FIELDS} } }`);
const setMinimum = (input: object, client = almoxarife) =>
  client.graphql(
    `mutation ($input: EstoqueMinimoInput!) { definirEstoqueMinimo(input: $input) { id idMaterial idLocal quantidade versao } }`,
    { input },
  );

describe('stock that expires', () => {
  it('has an alert in each window, by the last day on which it can be used', async () => {
    const kinds = new Map([
      [-1, ['VENCIDO']],
      [0, ['VENCE_EM_30_DIAS']],
      [30, ['VENCE_EM_30_DIAS']],
      [31, ['VENCE_EM_90_DIAS']],
      [90, ['VENCE_EM_90_DIAS']],
      [91, []],
    ]);
    for (const [days, expected] of kinds) {
      const lote = await makeBatch(service(), { data_venc: await day(days) });
      const alerts = await alertsOf(lote.id_material);
      expect(
        alerts.map(({ tipo }) => tipo),
        String(days),
      ).toEqual(expected);
      const about = { diasParaVencer: days, quantidade: 100, idLote: lote.id, idLocal: lote.id_local };
      for (const alert of alerts)
        expect(alert).toMatchObject({ ...about, aberto: true, reconhecimento: null });
    }
  });

  it('has one at each place, and none where nothing is left', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(5) });
    const { id: place } = await makePlace(service());
    const movement = { id_lote: lote.id, fl_estorno: 'N', id_local_origem_fim: lote.id_local };
    const move = (more: object) =>
      almoxarife.post(paths.movements, { movimentacoes: [{ ...movement, ...more }] });
    await move({ id_tipo_movimentacao: 3, id_local_destino_fim: place, quantidade: 40 });
    const placed = async () =>
      new Map((await alertsOf(lote.id_material)).map(({ idLocal, quantidade }) => [idLocal, quantidade]));
    expect(await placed()).toEqual(
      new Map([
        [lote.id_local, 60],
        [place, 40],
      ]),
    );
    await move({ id_tipo_movimentacao: 5, quantidade: 60 });
    expect(await placed()).toEqual(new Map([[place, 40]]));
  });
});

describe('a minimum quantity', () => {
  it('has an alert while the stock that has not expired is below it', async () => {
    const { id: idMaterial } = await makeMaterial(service());
    const { id: idLocal } = await makePlace(service());
    expect(
      (await setMinimum({ idMaterial, idLocal, quantidade: 10 })).data.definirEstoqueMinimo,
    ).toMatchObject({
      idMaterial,
      idLocal,
      quantidade: 10,
    });
    const low = (quantidade: number) => ({ tipo: 'ABAIXO_DO_MINIMO', minimo: 10, idLocal, quantidade });
    expect(await alertsOf(idMaterial)).toMatchObject([low(0)]);
    await makeBatch(service(), { id_material: idMaterial, id_local: idLocal, quantidade: 9 });
    await makeBatch(service(), { id_material: idMaterial, quantidade: 50 });
    await makeBatch(service(), {
      id_material: idMaterial,
      id_local: idLocal,
      cod_lote: 'L-2',
      data_venc: await day(-1),
    });
    expect(await alertsOf(idMaterial, ', tipo: ABAIXO_DO_MINIMO')).toMatchObject([low(9)]);
    await makeBatch(service(), {
      id_material: idMaterial,
      id_local: idLocal,
      cod_lote: 'L-3',
      quantidade: 1,
    });
    expect(await alertsOf(idMaterial, ', tipo: ABAIXO_DO_MINIMO')).toEqual([]);
  });

  it('is unique for a material and a location, and the next one replaces it', async () => {
    const { id: idMaterial } = await makeMaterial(service());
    const { id: idLocal } = await makePlace(service());
    const set = (quantidade: number) => setMinimum({ idMaterial, idLocal, quantidade });
    const answers = await Promise.all([set(3), set(4), set(5)]);
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
    const last = (await set(6)).data.definirEstoqueMinimo;
    expect(last).toMatchObject({ quantidade: 6, versao: 4 });
    const { data } = await almoxarife.graphql(
      `{ material(id: ${idMaterial}) { estoquesMinimos { total data { id quantidade } } } }`,
    );
    expect(data.material.estoquesMinimos).toEqual({ total: 1, data: [{ id: last.id, quantidade: 6 }] });
    await expect(
      service().sql('insert into estoque_minimo (id_material, id_local, quantidade) values ($1, $2, 1)', [
        idMaterial,
        idLocal,
      ]),
    ).rejects.toThrow(/estoque_minimo_id_material_id_local_unique/);
  });

  it('is at least 1, of records that exist', async () => {
    const { errors } = await setMinimum({ idMaterial: 999_999, idLocal: 1, quantidade: 0 });
    const fields = errors![0]!.extensions['errors'] as { field: string }[];
    expect(fields.map(({ field }) => field).toSorted()).toEqual(['idMaterial', 'quantidade']);
  });

  it('has no alert after its removal, and does not prevent the deletion of its material', async () => {
    const { id: idMaterial } = await makeMaterial(service());
    const { id: idLocal } = await makePlace(service());
    const { id } = (await setMinimum({ idMaterial, idLocal, quantidade: 2 })).data.definirEstoqueMinimo;
    const [alert] = await alertsOf(idMaterial);
    await acknowledge(alert!.id, await day(1));
    const removed = await almoxarife.graphql(`mutation { removerEstoqueMinimo(id: ${id}) { quantidade } }`);
    expect(removed.data.removerEstoqueMinimo).toEqual({ quantidade: 2 });
    expect(await alertsOf(idMaterial, ', comReconhecidos: true')).toEqual([]);
    await setMinimum({ idMaterial, idLocal, quantidade: 2 });
    expect((await almoxarife.delete(`/almoxarifadoquimicos/materiais/${idMaterial}`)).status).toBe(200);
  });
});

describe('an acknowledgement', () => {
  it('says who, why and until when, and closes the alert until that day', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(10) });
    const [open] = await alertsOf(lote.id_material);
    const ate = await day(7);
    const { data } = await acknowledge(open!.id, ate, tecnico);
    const known = {
      ...open,
      aberto: false,
      reconhecimento: { desde: await day(0), ate, motivo: 'Pedido 12/2026', pessoa: { usuario: 'tecnico' } },
    };
    expect(data.reconhecerAlerta).toEqual(known);
    expect(await alertsOf(lote.id_material)).toEqual([]);
    expect(await alertsOf(lote.id_material, ', comReconhecidos: true')).toEqual([known]);
    // The day after.
    await service().sql(`update reconhecimento_alerta set desde = current_date - 8, ate = current_date - 1`);
    expect(await alertsOf(lote.id_material)).toEqual([open]);
  });

  it('is replaced by the next one, and taken back', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(10) });
    const [open] = await alertsOf(lote.id_material);
    await acknowledge(open!.id, await day(7));
    const later = await day(9);
    expect((await acknowledge(open!.id, later, tecnico)).data.reconhecerAlerta.reconhecimento).toMatchObject({
      ate: later,
      pessoa: { usuario: 'tecnico' },
    });
    expect((await reopen(open!.id)).data.reabrirAlerta).toEqual(open);
    expect(await alertsOf(lote.id_material)).toEqual([open]);
    expect((await reopen(open!.id)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  });

  it('ends when the alert changes its kind: stock that has expired is open again', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(10) });
    const [open] = await alertsOf(lote.id_material);
    await acknowledge(open!.id, await day(60));
    expect(await alertsOf(lote.id_material)).toEqual([]);
    await service().sql('update lote set data_venc = current_date - 1 where id = $1', [lote.id]);
    expect(await alertsOf(lote.id_material)).toMatchObject([{ id: open!.id, tipo: 'VENCIDO', aberto: true }]);
  });

  it('ends on a day from today to 180 days from now', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(10) });
    const [open] = await alertsOf(lote.id_material);
    for (const [days, works] of [
      [-1, false],
      [0, true],
      [180, true],
      [181, false],
    ] as const) {
      const { errors } = await acknowledge(open!.id, await day(days));
      expect(errors?.[0]!.extensions.code, String(days)).toBe(works ? undefined : 'VALIDATION_FAILED');
      if (errors) expect(errors[0]!.extensions['errors']).toMatchObject([{ field: 'ate' }]);
    }
  });

  it('needs an alert that exists', async () => {
    for (const id of [999_999, 1_000_000, 1_000_001])
      expect((await acknowledge(id, await day(1))).errors![0]!.extensions.code).toBe('NOT_FOUND');
  });

  it('leaves a row in the audit trail', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(10) });
    const [open] = await alertsOf(lote.id_material);
    await acknowledge(open!.id, await day(7), tecnico);
    const [row] = await service().sql(
      `select a.operacao, p.usuario from auditoria a join pessoa p on p.id = a.id_pessoa
       where a.tabela = 'reconhecimento_alerta' order by a.id desc limit 1`,
    );
    expect(row).toEqual(['insert', 'tecnico']);
  });
});

describe('a movement that waits for approval', () => {
  it('has an alert, which only people who may decide the movement acknowledge', async () => {
    const lote = await makeBatch(service(), { controlado: true });
    const [open] = await alertsOf(lote.id_material);
    const waiting = { tipo: 'APROVACAO_PENDENTE', idLote: lote.id, idLocal: lote.id_local, quantidade: 100 };
    expect(open).toMatchObject({ ...waiting, idMovimentacao: expect.any(Number) });
    for (const refused of [
      await acknowledge(open!.id, await day(1), tecnico),
      await reopen(open!.id, tecnico),
    ])
      expect(refused.errors![0]!.extensions.code).toBe('FORBIDDEN');
    const admin = await service().as('admin');
    expect((await acknowledge(open!.id, await day(1), admin)).data.reconhecerAlerta.aberto).toBe(false);
    await admin.post(paths.approvals, { id_movimentacao: open!['idMovimentacao'] });
    expect(await alertsOf(lote.id_material, ', comReconhecidos: true')).toEqual([]);
  });

  it('has it at the place that its kind leaves or else enters, whatever other places were sent', async () => {
    const lote = await makeBatch(service(), { controlado: true });
    const [entry] = await alertsOf(lote.id_material);
    await (await service().as('admin')).post(paths.approvals, { id_movimentacao: entry!['idMovimentacao'] });
    const { id: other } = await makePlace(service());
    const [from, to] = [{ id_local_origem_fim: lote.id_local }, { id_local_destino_fim: other }];
    const kinds: [number, object, number][] = [
      [2, { id_local_origem_fim: other, id_local_destino_fim: lote.id_local }, lote.id_local],
      [3, { ...from, ...to }, lote.id_local],
      [4, { ...from, ...to }, lote.id_local],
      [5, { ...from, ...to }, lote.id_local],
    ];
    const common = { id_lote: lote.id, quantidade: 1, fl_estorno: 'N' };
    const { body } = await almoxarife.post(paths.movements, {
      movimentacoes: kinds.map(([id_tipo_movimentacao, places]) => ({
        ...common,
        id_tipo_movimentacao,
        ...places,
      })),
    });
    const shown = new Map(
      (await alertsOf(lote.id_material)).map(({ idMovimentacao, idLocal }) => [idMovimentacao, idLocal]),
    );
    expect(body.data.map(({ id }: { id: number }) => shown.get(id))).toEqual(kinds.map(([, , at]) => at));
  });
});

describe('a map of controlled chemicals that was not sent', () => {
  const PERIOD = `select extract(year from d)::int, extract(month from d)::int, (d + interval '1 month 14 days')::date - current_date, d::date::text
    from (select date_trunc('month', current_date::timestamp) - $1 * interval '1 month' as d) m`;
  /** The month so many months ago (by default 1): the days until its map is due, and its first day. */
  const month = async (ago: number) =>
    (await service().sql(PERIOD, [ago]))[0] as [ano: number, mes: number, days: number, first: string];
  const alerts = async (client = almoxarife): Promise<Alert[]> => {
    const { data, errors } = await client.graphql(
      `{ alertas(tipo: MAPA_NAO_ENVIADO, orderBy: [{ mes: asc }]) { total data { id tipo mes diasParaVencer quantidade aberto material { id } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.alertas.total).toBe(data.alertas.data.length);
    return data.alertas.data;
  };
  const close = async (ago: number, ended: { sent?: boolean; reopened?: boolean }): Promise<void> => {
    const [ano, mes] = await month(ago);
    await service().sql(
      `insert into fechamento_mapa (ano, mes, inicio, fim, nome_arquivo, tamanho, sha256, protocolo, enviado_em, motivo, reaberto_em)
       select $1, $2, make_date($1, $2, 1), make_date($1, $2, 2), 'M', 1, repeat('a', 64), p, case when p is not null then now() end,
         m, case when m is not null then now() end
       from (select $3::text as p, $4::text as m) x`,
      [ano, mes, ended.sent ? '1' : null, ended.reopened ? 'Erro' : null],
    );
  };

  it('has an alert until it is marked as sent, for people who may read the register', async () => {
    const [ano, mes, days, first] = await month(1);
    const id = -(ano * 100 + mes);
    const alert = { id, tipo: 'MAPA_NAO_ENVIADO', mes: first, diasParaVencer: days, aberto: true };
    expect(await alerts()).toEqual([{ ...alert, quantidade: null, material: null }]);
    const docente = await service().as('docente');
    const revoke = await grant(service(), 'docente', {
      controller: 'almoxarifadoquimicos/alertas',
      nivel: 2,
    });
    expect(await alerts(docente)).toEqual([]);
    expect((await acknowledge(id, await day(1), docente)).errors![0]!.extensions.code).toBe('FORBIDDEN');
    const takeRegister = await grant(service(), 'docente', {
      controller: 'relatorios/almoxarifado-quimicos/livro-controlados',
      nivel: 1,
    });
    expect(await alerts(docente)).toHaveLength(1);
    expect((await acknowledge(id, await day(1), docente)).errors![0]!.extensions.code).toBe('CONFLICT');
    expect((await reopen(id, docente)).errors![0]!.extensions.code).toBe('NOT_FOUND');
    await takeRegister();
    await revoke();
    await close(1, { sent: true, reopened: true });
    expect(await alerts()).toHaveLength(1);
    await close(1, {});
    expect(await alerts()).toHaveLength(1);
    await service().sql(`alter table fechamento_mapa disable trigger user`);
    await service().sql(
      `update fechamento_mapa set protocolo = '1', enviado_em = now() where reaberto_em is null`,
    );
    await service().sql(`alter table fechamento_mapa enable trigger user`);
    expect(await alerts()).toEqual([]);
  });

  it('has one for each month since the first that was closed', async () => {
    await close(4, { sent: true });
    await close(3, {});
    const firsts = await Promise.all([3, 2].map(async ago => (await month(ago))[3]));
    expect((await alerts()).map(({ mes }) => mes)).toEqual(firsts);
  });

  it('has no alert where no material is controlled', async () => {
    await service().sql('alter table tipo_controle disable trigger user');
    await service().sql('update tipo_controle set mapa_pf = false');
    expect(await alerts()).toEqual([]);
    await service().sql(`update tipo_controle set mapa_pf = true where descricao = 'Polícia Federal'`);
    await service().sql('alter table tipo_controle enable trigger user');
  });
});

describe('alerts', () => {
  it('are a list like any other: filtered, ordered, grouped, and on the records that they concern', async () => {
    const lote = await makeBatch(service(), { data_venc: await day(40) });
    const { data, errors } = await almoxarife.graphql(`{
      alertas(filter: { lote: { id: { eq: ${lote.id} } }, diasParaVencer: { lte: 60 } }, orderBy: [{ quantidade: desc }]) {
        total groups(by: [{ tipo: true }]) { key { tipo } count }
      }
      lote(id: ${lote.id}) { alertas { data { tipo local { id } } } }
      local(id: ${lote.id_local}) { alertas { total } }
      lotes(filter: { alertas: { some: { tipo: { eq: VENCE_EM_90_DIAS } } }, id: { eq: ${lote.id} } }) { total }
      none: lotes(filter: { alertas: { none: {} }, id: { eq: ${lote.id} } }) { total }
    }`);
    expect(errors).toBeUndefined();
    expect(data.alertas).toEqual({ total: 1, groups: [{ key: { tipo: 'VENCE_EM_90_DIAS' }, count: 1 }] });
    expect(data.lote.alertas.data).toEqual([{ tipo: 'VENCE_EM_90_DIAS', local: { id: lote.id_local } }]);
    expect(data.local.alertas.total).toBe(1);
    expect([data.lotes.total, data.none.total]).toEqual([1, 0]);
  });

  it('come with a cursor: every one on exactly one page', async () => {
    const { data } = await almoxarife.graphql('{ alertas(pagination: false) { data { id } } }');
    const all = (data.alertas.data as { id: number }[]).map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    const read: number[] = [];
    let after: string | null = null;
    do {
      const page = await almoxarife.graphql(
        'query ($after: Cursor) { alertas(itemsPerPage: 7, after: $after) { nextCursor data { id } } }',
        { after },
      );
      expect(page.errors).toBeUndefined();
      read.push(...page.data.alertas.data.map(({ id }: { id: number }) => id));
      after = page.data.alertas.nextCursor;
    } while (after);
    expect(read).toEqual(all);
  });

  it('need level 1, to be acknowledged level 2', async () => {
    const docente = await service().as('docente');
    expect((await docente.graphql('{ alertas { total } }')).errors![0]!.extensions.code).toBe('FORBIDDEN');
    const revoke = await grant(service(), 'docente', {
      controller: 'almoxarifadoquimicos/alertas',
      nivel: 1,
    });
    expect((await docente.graphql('{ alertas { total } }')).errors).toBeUndefined();
    const refused = await acknowledge(1, await day(1), docente);
    expect(refused.errors![0]!.extensions.code).toBe('FORBIDDEN');
    await revoke();
  });
});

describe('the side menu', () => {
  const lines = async (client: Client): Promise<Map<string, number | null>> => {
    const { body } = await client.get('/permissoes/menu_lateral');
    const items = (body.data as { itens: { nome: string; alertas: number | null }[] }[]).flatMap(
      m => m.itens,
    );
    return new Map(items.map(({ nome, alertas }) => [nome, alertas]));
  };

  it('shows the number of open alerts at their item, and of pending requests at that of the approvals', async () => {
    const before = await lines(tecnico);
    const expiring = await makeBatch(service(), { data_venc: await day(3) });
    await makeBatch(service(), { controlado: true });
    const after = await lines(tecnico);
    expect(after.get('Alertas')).toBe(before.get('Alertas')! + 2);
    expect(after.get('Aprovações')).toBe(before.get('Aprovações')! + 1);
    expect(after.get('Materiais')).toBeNull();
    const [open] = await alertsOf(expiring.id_material);
    await acknowledge(open!.id, await day(1));
    expect((await lines(tecnico)).get('Alertas')).toBe(before.get('Alertas')! + 1);
    const { data } = await tecnico.graphql('{ alertas { total } solicitacoesAprovacao { total } }');
    expect((await lines(tecnico)).get('Alertas')).toBe(data.alertas.total);
    expect(after.get('Aprovações')).toBe(data.solicitacoesAprovacao.total);
  });

  it('counts the alerts once for all people while nothing changes', async () => {
    const counted: boolean[] = [];
    const restore = readThrough(service(), async (read, text, ...more) => {
      const found = await read(text, ...more);
      if (text.includes('from estoque_minimo')) counted.push(found[0]![0] !== null);
      return found;
    });
    try {
      const place = await makePlace(service());
      await makeMaterial(service());
      await Promise.all([tecnico, almoxarife, tecnico, almoxarife].map(lines));
      expect(counted.filter(Boolean)).toHaveLength(1);
      const before = (await lines(tecnico)).get('Alertas');
      await setMinimum({ idMaterial: (await makeMaterial(service())).id, idLocal: place.id, quantidade: 5 });
      expect((await lines(tecnico)).get('Alertas')).toBe(before! + 1);
      expect(counted.filter(Boolean)).toHaveLength(2);
    } finally {
      restore();
    }
  });

  it('does not count unsent maps for people who may not read the register', async () => {
    const docente = await service().as('docente');
    const revoke = [
      await grant(service(), 'docente', { controller: 'permissoes/menu_lateral', nivel: 1 }),
      await grant(service(), 'docente', { controller: 'almoxarifadoquimicos/alertas', nivel: 1 }),
    ];
    const [[idPerfil]] = (await service().sql(
      `select id from perfil where nome = 'Técnico de laboratório'`,
    )) as [[number]];
    const { body } = await docente.get(`/permissoes/menu_lateral/${idPerfil}`);
    const items = (body.data as { itens: { nome: string; alertas: number }[] }[]).flatMap(menu => menu.itens);
    const { data } = await docente.graphql('{ alertas { total } }');
    expect(items.find(({ nome }) => nome === 'Alertas')!.alertas).toBe(data.alertas.total);
    const heard = (await almoxarife.graphql('{ alertas { total } }')).data.alertas.total;
    expect(heard).toBeGreaterThan(data.alertas.total);
    for (const take of revoke) await take();
  });

  it('shows no number to people who may not read what it counts', async () => {
    const revoke = await grant(service(), 'docente', { controller: 'permissoes/menu_lateral', nivel: 1 });
    const [[idPerfil]] = (await service().sql(
      `select id from perfil where nome = 'Técnico de laboratório'`,
    )) as [[number]];
    const { body } = await (await service().as('docente')).get(`/permissoes/menu_lateral/${idPerfil}`);
    const items = (body.data as { itens: { nome: string; alertas: unknown }[] }[]).flatMap(
      menu => menu.itens,
    );
    expect(items.find(({ nome }) => nome === 'Alertas')).toMatchObject({ alertas: null });
    await revoke();
  });
});

describe("a technician's own view", () => {
  it("has the locations that they manage today, with nobody else's, and their alerts", async () => {
    const docente = await service().as('docente');
    const ofToday = `{ meusLocais { total data { sigla } } meusAlertas { data { id local { sigla } } } }`;
    const [[idLocal]] = (await service().sql(`select id from local where sigla = 'LQA'`)) as [[number]];
    const lote = await makeBatch(service(), { data_venc: await day(1), id_local: idLocal });
    const { data, errors } = await docente.graphql(ofToday);
    expect(errors).toBeUndefined();
    expect(data.meusLocais).toEqual({ total: 1, data: [{ sigla: 'LQA' }] });
    const [mine] = await alertsOf(lote.id_material);
    expect(data.meusAlertas.data).toContainEqual({ id: mine!.id, local: { sigla: 'LQA' } });
    for (const { local } of data.meusAlertas.data) expect(local.sigla).toBe('LQA');
    const discente = await service().as('discente');
    expect((await discente.graphql(ofToday)).data).toEqual({
      meusLocais: { total: 0, data: [] },
      meusAlertas: { data: [] },
    });
  });

  it('has the movements that they registered, the newest first', async () => {
    const idPessoa = await personOf(service(), 'tecnico');
    const lote = await makeBatch(service());
    const taken = { id_lote: lote.id, id_local_origem_fim: lote.id_local, fl_estorno: 'N' };
    for (const id_tipo_movimentacao of [4, 5]) {
      const movimentacoes = [{ ...taken, id_tipo_movimentacao, quantidade: 1 }];
      expect((await tecnico.post(paths.movements, { movimentacoes })).status).toBe(201);
    }
    const { data, errors } = await tecnico.graphql(
      `{ minhasMovimentacoes(pagination: false) { total data { criadoPor data } } }`,
    );
    expect(errors).toBeUndefined();
    const [[count]] = (await service().sql('select count(*)::int from movimentacao where criado_por = $1', [
      idPessoa,
    ])) as [[number]];
    expect(count).toBe(2);
    expect(data.minhasMovimentacoes.total).toBe(count);
    const records = data.minhasMovimentacoes.data as { criadoPor: number; data: string }[];
    for (const { criadoPor } of records) expect(criadoPor).toBe(idPessoa);
    const moments = records.map(record => record.data);
    expect(moments).toEqual(moments.toSorted().toReversed());
    const { data: filtered } = await tecnico.graphql(
      `{ minhasMovimentacoes(filter: { tipoMovimentacao: { id: { eq: 4 } } }) { data { criadoPor tipoMovimentacao { id } } } }`,
    );
    expect(filtered.minhasMovimentacoes.data).toEqual([{ criadoPor: idPessoa, tipoMovimentacao: { id: 4 } }]);
    const docente = await service().as('docente');
    const { data: none } = await docente.graphql('{ minhasMovimentacoes { total } }');
    expect(none.minhasMovimentacoes.total).toBe(0);
  });
});
