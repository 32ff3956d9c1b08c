import { describe, expect, it } from 'vitest';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const area = '/almoxarifadoquimicos';
const idOf = async (table: string, column: string, value: string): Promise<number> =>
  (await service().sql(`select id from ${table} where ${column} = $1`, [value]))[0]![0] as number;

describe('a laboratory manager', () => {
  it('is by default the caller, from today on, and can be read as written on both faces', async () => {
    const tecnico = await service().as('tecnico');
    const idLocal = await idOf('local', 'sigla', 'LPM');
    const created = await tecnico.post(`${area}/responsaveis-laboratorio`, {
      id_local: idLocal,
      data_fim: '2031-01-31',
    });
    expect(created.status).toBe(201);
    const [[today]] = (await service().sql('select current_date')) as [[string]];
    expect(created.body).toMatchObject({
      id_local: idLocal,
      data_inicio: today,
      data_fim: '2031-01-31',
      nome: 'Beatriz Nogueira Sá',
    });
    const { data } = await tecnico.graphql(
      `{ responsavelLaboratorio(id: ${created.body.id}) { idPessoa nome local { sigla } dataFim } }`,
    );
    expect(data.responsavelLaboratorio).toEqual({
      idPessoa: created.body.id_pessoa,
      nome: 'Beatriz Nogueira Sá',
      local: { sigla: 'LPM' },
      dataFim: '2031-01-31',
    });
    const ended = await tecnico.put(`${area}/responsaveis-laboratorio/${created.body.id}`, {
      data_fim: null,
    });
    expect(ended.body.data_fim).toBeNull();
  });

  it('may be another person only with level 3', async () => {
    const body = {
      id_local: await idOf('local', 'sigla', 'LCM'),
      id_pessoa: await idOf('pessoa', 'usuario', 'discente'),
    };
    expectProblem(
      await (await service().as('tecnico')).post(`${area}/responsaveis-laboratorio`, body),
      403,
      'FORBIDDEN',
    );
    const named = await (await service().as('almoxarife')).post(`${area}/responsaveis-laboratorio`, body);
    expect(named.body).toMatchObject({ id_pessoa: body.id_pessoa, nome: 'Ju Conceição' });
    const path = `${area}/responsaveis-laboratorio/${named.body.id}`;
    const ended = { data_fim: '2031-01-31' };
    expectProblem(await (await service().as('tecnico')).put(path, ended), 403, 'FORBIDDEN');
    expect((await (await service().as('almoxarife')).put(path, ended)).body).toMatchObject(ended);
  });

  it('needs a location and a person that exist, and a day of the calendar', async () => {
    const admin = await service().as('admin');
    const refused = await admin.post(`${area}/responsaveis-laboratorio`, {
      id_local: 99999,
      id_pessoa: 99999,
      data_fim: '2026-02-30',
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual(['data_fim', 'id_local', 'id_pessoa']);
    expectProblem(await admin.delete(`${area}/responsaveis-laboratorio/1`), 405, 'METHOD_NOT_ALLOWED');
  });

  it('does not end before the start', async () => {
    const admin = (await service().as('admin')).with({ 'accept-language': 'en' });
    const path = `${area}/responsaveis-laboratorio`;
    const ended = { data_fim: '2001-01-31' };
    const term = {
      id_local: await idOf('local', 'sigla', 'LQO'),
      id_pessoa: await idOf('pessoa', 'usuario', 'discente'),
    };
    const { body } = await admin.post(path, term);
    for (const answer of [
      await admin.post(path, { ...term, ...ended, id_pessoa: await idOf('pessoa', 'usuario', 'docente') }),
      await admin.put(`${path}/${body.id}`, ended),
    ]) {
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(answer.body.errors).toEqual([{ field: 'data_fim', message: 'must not be before the start' }]);
    }
    expect((await admin.get(`${path}/${body.id}`)).body.data_fim).toBeNull();
  });

  it('has only one term at a time, and may have another one afterwards', async () => {
    const admin = await service().as('admin');
    const path = `${area}/responsaveis-laboratorio`;
    const term = {
      id_local: await idOf('local', 'sigla', 'LPM'),
      id_pessoa: await idOf('pessoa', 'usuario', 'discente'),
    };
    const insert = `insert into responsavel_laboratorio (id_local, id_pessoa, data_inicio, data_fim)
      values ($1, $2, current_date - 9, current_date - 1) returning id`;
    const [[former]] = (await service().sql(insert, [term.id_local, term.id_pessoa])) as [[number]];
    expect((await admin.post(path, term)).status).toBe(201);
    expectProblem(await admin.post(path, { ...term, data_fim: '2031-01-31' }), 409, 'DUPLICATE');
    expectProblem(await admin.put(`${path}/${former}`, { data_fim: null }), 409, 'DUPLICATE');
  });
});

describe('the locations', () => {
  const sigla = (answer: { body: { data: { sigla: string }[] } }): string[] =>
    answer.body.data.map(local => local.sigla);

  it('show their technicians of today, and only on request', async () => {
    const admin = await service().as('admin');
    const idLocal = await idOf('local', 'sigla', 'LQA');
    const idPessoa = await idOf('pessoa', 'usuario', 'almoxarife');
    await service().sql(
      `insert into responsavel_laboratorio (id_local, id_pessoa, data_inicio, data_fim) values ($1, $2, current_date - 9, current_date - 1)`,
      [idLocal, idPessoa],
    );
    const plain = await admin.get(`${area}/locais`);
    expect(plain.body.data.every((local: object) => !('tecnicos' in local))).toBe(true);
    const asked = await admin.get(`${area}/locais?trazerTecnicos=1`);
    const analytical = asked.body.data.find((local: { sigla: string }) => local.sigla === 'LQA');
    expect(analytical.tecnicos).toMatchObject([{ nome: 'Caio Montenegro Reis', data_fim: null }]);
    expect(analytical.lotacao).toMatchObject({ sigla: 'DQI' });
  });

  it('are only those of the caller with filtrarPorTecnico', async () => {
    const docente = await service().as('docente');
    expectProblem(await docente.get(`${area}/locais`), 403, 'FORBIDDEN');
    const almoxarife = await service().as('almoxarife');
    expect(sigla(await almoxarife.get(`${area}/locais?filtrarPorTecnico=true`))).toEqual(['ALMOX', 'LBM']);
  });

  it('are only those of a manager with idResponsavel, which counts only together with trazerTecnicos', async () => {
    const admin = await service().as('admin');
    const id = await idOf('pessoa', 'usuario', 'docente');
    expect(sigla(await admin.get(`${area}/locais?idResponsavel=${id}&trazerTecnicos=true`))).toEqual(['LQA']);
    expect(sigla(await admin.get(`${area}/locais?idResponsavel=${id}`))).toHaveLength(6);
    const both = await admin.graphql(`{ locais(idResponsavel: ${id}, filtrarPorTecnico: true) { total } }`);
    expect(both.data.locais.total).toBe(0);
  });
});

describe('the kinds and states of movements', () => {
  it('come with the service', async () => {
    const tecnico = await service().as('tecnico');
    const types = await tecnico.get(`${area}/tipos-movimentacao`);
    expect(
      types.body.data.map((type: any) => [type.id, type.descricao, type.exige_origem, type.exige_destino]),
    ).toEqual([
      [1, 'Entrada', false, true],
      [2, 'Entrada avulsa', false, true],
      [3, 'Transferência', true, true],
      [4, 'Saída', true, false],
      [5, 'Descarte', true, false],
    ]);
    expect((await tecnico.get(`${area}/status-movimentacao/2`)).body.descricao).toBe('Efetivada');
    expectProblem(await tecnico.post(`${area}/status-movimentacao`, {}), 405, 'METHOD_NOT_ALLOWED');
  });
});
