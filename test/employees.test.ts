import { describe, expect, it, test } from 'vitest';
import { checkDigits, isCpf } from '../src/domain/cpf.ts';
import { demoRecords } from '../src/demo/files.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const path = '/institucional/funcionarios-ativos';
const service = useService();
const demoEmployees = await demoRecords('funcionarios');

const idOf = async (cpf: string): Promise<number> =>
  (await service().sql('select id from funcionario where cpf = $1', [cpf]))[0]![0] as number;

describe('employees', () => {
  it('come in pages, as REST records with their unit', async () => {
    const admin = await service().as('admin');
    const { status, body } = await admin.get(`${path}?orderByNomeCivil=asc`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 40, page: 1, itemsPerPage: 10, totalPages: 4 });
    const { cpf, nome_civil, natureza_juridica, email } = demoEmployees[0]!;
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      criado_em: expect.any(String),
      alterado_em: expect.any(String),
      criado_por: null,
      alterado_por: null,
      cpf,
      nome_civil,
      nome_social: null,
      natureza_juridica,
      ultima_alteracao: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      email,
      situacao: 'A',
      id_lotacao: expect.any(Number),
      lotacao: expect.objectContaining({ sigla: 'DQI', nome: 'Departamento de Química' }),
    });
  });

  it('are found by CPF with or without its punctuation, and not by a part of it', async () => {
    const admin = await service().as('admin');
    const { cpf, nome_civil } = demoEmployees[3]!;
    const written = cpf!.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
    for (const given of [cpf, written]) {
      const { body } = await admin.get(`${path}?cpf=${given}`);
      expect(body.data.map((employee: any) => employee.nome_civil)).toEqual([nome_civil]);
    }
    expect((await admin.get(`${path}?cpf=${cpf!.slice(0, 6)}`)).body.total).toBe(0);
  });

  it('are ordered by the last change under the spelling of the specification', async () => {
    const { body } = await (await service().as('admin')).get(`${path}?ordernarByUltimaAlteracao=desc`);
    const moments: string[] = body.data.map((employee: any) => employee.ultima_alteracao);
    expect(moments).toEqual(moments.toSorted((a, b) => b.localeCompare(a)));
  });

  it('who have left are not shown, in the list or alone', async () => {
    const admin = await service().as('admin');
    const left = demoEmployees.find(({ situacao }) => situacao === 'I')!;
    const stays = demoEmployees.find(({ situacao }) => situacao === 'A')!;
    expect((await admin.get(`${path}?cpf=${left['cpf']}`)).body.total).toBe(0);
    expectProblem(await admin.get(`${path}/${await idOf(left['cpf']!)}`), 404, 'NOT_FOUND');
    expect((await admin.get(`${path}/${await idOf(stays['cpf']!)}`)).body.cpf).toBe(stays['cpf']);
    const { data } = await admin.graphql(`{ funcionarioAtivo(id: ${await idOf(left['cpf']!)}) { cpf } }`);
    expect(data.funcionarioAtivo).toBeNull();
  });

  it('are shown only to those with level 1, on both faces', async () => {
    const docente = await service().as('docente');
    expectProblem(await docente.get(path), 403, 'FORBIDDEN');
    expectProblem(await docente.get(`${path}/1`), 403, 'FORBIDDEN');
    const { errors } = await docente.graphql('{ funcionariosAtivos { total } }');
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    expectProblem(await service().anyone.get(path), 401, 'UNAUTHENTICATED');
  });

  it('cannot be written', async () => {
    expectProblem(await (await service().as('admin')).post(path, {}), 405, 'METHOD_NOT_ALLOWED');
  });
});

describe('a CPF', () => {
  test('has two check digits', () => {
    expect(checkDigits('111444777')).toBe('35');
    expect(checkDigits('000000001')).toBe('91');
    expect(isCpf('11144477735')).toBe(true);
    expect(['11144477734', '11111111111', '1114447773', '111.444.777-35'].filter(isCpf)).toEqual([]);
  });

  test('of the demo is right', () => {
    expect(demoEmployees.filter(({ cpf }) => !isCpf(cpf!))).toEqual([]);
    expect(new Set(demoEmployees.map(({ cpf }) => cpf)).size).toBe(demoEmployees.length);
  });
});
