import { describe, expect, it } from 'vitest';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

// Imports in the test's process have the time limits of requests, which a busy machine may exceed.
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load, run } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const planHeaders =
  'codigo_disciplina;curso_codigo;ano;semestre;nome_disciplina;departamento_sigla;carga_horaria;situacao_codigo;' +
  'tramitacao_atual_descricao;docentes;bibliografia_basica';
const plan = (code: string, step: string, teachers: string): string =>
  `${code};QUI-B;2026;2;Química ${code};DQI;60;AN;${step};${teachers};"Livro A, 2020\nLivro B, 2021"`;
const plans = (...rows: string[]): Promise<string> => file([planHeaders, ...rows].join('\n'));

const moveHeaders =
  'plano_ensino_codigo_disciplina;plano_ensino_curso_codigo;plano_ensino_ano;plano_ensino_semestre;' +
  'etapa_descricao;data;pessoa_usuario;observacao';
const move = (code: string, step: string, on: string): string =>
  `${code};QUI-B;2026;2;${step};${on};docente;`;
const moves = (...rows: string[]): Promise<string> => file([moveHeaders, ...rows].join('\n'));

const [TEACHER, DEPARTMENT, BOARD] = [
  'Elaboração pelo docente',
  'Apreciação do departamento',
  'Apreciação do colegiado',
];
const stepOf = async (code: string): Promise<unknown> =>
  (
    await sql(
      `select e.descricao from plano_ensino p join etapa_tramitacao e on e.id = p.id_tramitacao_atual
       where codigo_disciplina = $1`,
      [code],
    )
  )[0]![0];
const teachersOf = async (code: string): Promise<unknown[]> =>
  (
    await sql(
      `select s.usuario from plano_ensino p join docente_plano d on d.id_plano_ensino = p.id
       join pessoa s on s.id = d.id_pessoa where codigo_disciplina = $1 order by 1`,
      [code],
    )
  ).flat();

describe('an import of students', () => {
  it('creates enrolments and activities, which the student can then read', async () => {
    const states = await file('sigla;situacao\nAB;Abandonado\nAP;Aprovado');
    expect(await load('situacoes-atividade-curriculo', states)).toEqual({ created: 1, changed: 0, same: 1 });
    const links = await file(
      'matricula;vinculo;pessoa_usuario;nivel_curso;ano_ingresso;curso;situacao;habilitado\n' +
        '202610001;1; Docente ;3;2026;Mestrado em Química;Ativo;sim',
    );
    expect(await load('vinculos-discente', links)).toMatchObject({ created: 1 });
    const activities = await file(
      'vinculo_matricula;vinculo_vinculo;codigo_atividade;ano;periodo;nome_atividade;estrutura;ch_total;situacao_sigla\n' +
        '202610001;1;PQ001;2026;1;Seminários;Unidades obrigatórias;30;AP\n' +
        '202610001;1;PQ002;2026;2;Cinética;Unidades obrigatórias;60;AB',
    );
    expect(await run(0, 'atividades-curriculo-discente', activities)).toContain('2 created');
    expect(await load('atividades-curriculo-discente', activities)).toEqual({
      created: 0,
      changed: 0,
      same: 2,
    });
    const docente = await service().as('docente');
    const [link] = (await docente.get('/academico/vinculo-discente')).body.data;
    expect(link).toMatchObject({ matricula: '202610001', nivel_curso: 3, habilitado: 'S' });
    const { body } = await docente.get(`/academico/atividade-curriculo-discente?idVinculo=${link.id}`);
    expect(body.data).toMatchObject([
      { codigo_atividade: 'PQ001', situacao: { sigla: 'AP' } },
      { codigo_atividade: 'PQ002', ch_total: 60, situacao: { situacao: 'Abandonado' } },
    ]);
  });

  it('keeps registration numbers as they are written, with up to 60 digits', async () => {
    const numbers = ['00042', '42', '2026000000000000000000000000017'];
    const rows = numbers.map(number => `${number};1;docente;3;2026;Mestrado;Ativo;sim`);
    const headers = 'matricula;vinculo;pessoa_usuario;nivel_curso;ano_ingresso;curso;situacao;habilitado';
    const links = await file([headers, ...rows].join('\n'));
    expect(await load('vinculos-discente', links)).toMatchObject({ created: 3 });
    expect(await load('vinculos-discente', links, true)).toEqual({ created: 0, changed: 0, same: 3 });
    const admin = await service().as('admin');
    const found = async (path: string) =>
      (await admin.get(`/academico/vinculo-discente?${path}`)).body.data.map(
        ({ matricula }: { matricula: string }) => matricula,
      );
    for (const number of numbers) expect(await found(`matricula=${number}`)).toEqual([number]);
    const { data } = await admin.graphql(
      `{ vinculosDiscente(filter: { matricula: { startsWith: "000" } }) { data { matricula } } }`,
    );
    expect(data.vinculosDiscente.data).toEqual([{ matricula: '00042' }]);
    const odd = await file(`${headers}\n12-3;1;docente;3;2026;Mestrado;Ativo;sim`);
    await expect(load('vinculos-discente', odd)).rejects.toThrow(
      'matricula: expected at most 60 digits, found "12-3"',
    );
    await expect(
      service().sql(`update vinculo_discente set numero_matricula = 'x1' where numero_matricula = '42'`),
    ).rejects.toThrow('vinculo_discente_numero_matricula_check');
    await service().sql('delete from vinculo_discente where numero_matricula = any($1)', [numbers]);
  });

  it('is refused for levels, years, people and enrolments that do not exist', async () => {
    const links = await file(
      'matricula;vinculo;pessoa_usuario;nivel_curso;ano_ingresso;curso;situacao\n' +
        '1;0;ninguem;5;26;Física;Ativo',
    );
    await expect(load('vinculos-discente', links)).rejects.toThrow(
      /has 4 problems\.[^]*vinculo: expected a whole number from 1, found "0"[^]*nivel_curso: expected a whole number from 1 to 4, found "5"[^]*ano_ingresso: expected a whole number from 1900 to 2199, found "26"[^]*pessoa_usuario: expected exactly one record of pessoa, found "ninguem"/,
    );
    const long = (digits: number): Promise<string> =>
      file(
        `matricula;vinculo;pessoa_usuario;nivel_curso;ano_ingresso;curso;situacao;habilitado\n${'7'.repeat(digits)};1;docente;3;2026;Mestrado;Ativo;sim`,
      );
    await expect(load('vinculos-discente', await long(9000), true)).rejects.toThrow(
      'row 2, matricula: expected at most 60 digits',
    );
    expect(await load('vinculos-discente', await long(60), true)).toMatchObject({ created: 1 });
    const activities = await file(
      'vinculo_matricula;vinculo_vinculo;codigo_atividade;ano;periodo;nome_atividade;estrutura;ch_total;situacao_sigla\n' +
        '202410099;3;PQ001;2026;1;Seminários;Obrigatórias;30;AP',
    );
    await expect(load('atividades-curriculo-discente', activities)).rejects.toThrow(
      'row 2, vinculo_matricula, vinculo_vinculo: expected exactly one record of vinculo_discente, found "202410099, 3"',
    );
  });
});

describe('an import of teaching plans', () => {
  it('sets their teachers, who may then print them, and their steps, of which the last is the current one', async () => {
    expect(await run(0, 'planos-ensino', await plans(plan('IMP1', TEACHER, 'docente, s1204531')))).toContain(
      '1 created',
    );
    expect(
      await load(
        'tramitacoes-plano',
        await moves(move('IMP1', DEPARTMENT, '2026-08-03 09:00'), move('IMP1', TEACHER, '2026-08-01 10:00')),
      ),
    ).toMatchObject({ created: 2 });
    expect(await stepOf('IMP1')).toBe(DEPARTMENT);
    const [[id]] = (await sql(`select id from plano_ensino where codigo_disciplina = 'IMP1'`)) as [[number]];
    const { data } = await (
      await service().as('docente')
    ).graphql(
      `{ planoEnsino(id: ${id}) { bibliografiaBasica docentes { nome } tramitacaoAtual { descricao } tramitacoes { id } } }`,
    );
    expect(data.planoEnsino).toMatchObject({
      bibliografiaBasica: 'Livro A, 2020\nLivro B, 2021',
      tramitacaoAtual: { descricao: DEPARTMENT },
    });
    expect(data.planoEnsino.docentes).toHaveLength(2);
    expect(data.planoEnsino.tramitacoes).toHaveLength(2);
  });

  it('keeps the order in which the cell names the teachers, whose signatures come in it', async () => {
    const people = (await sql(
      `select usuario, nome from pessoa where situacao = 'A' order by nome desc limit 5`,
    )) as [string, string][];
    const known = people.map(([usuario]) => usuario);
    await load('planos-ensino', await plans(plan('IMP0', TEACHER, `"${known.join(', ')}"`)));
    const [[id]] = (await sql(`select id from plano_ensino where codigo_disciplina = 'IMP0'`)) as [[number]];
    const admin = await service().as('admin');
    const { data } = await admin.graphql(`{ planoEnsino(id: ${id}) { docentes { nome } } }`);
    expect(data.planoEnsino.docentes).toEqual(people.map(([, nome]) => ({ nome })));
    const again = await plans(plan('IMP0', TEACHER, `"${known.toReversed().join(', ')}"`));
    expect(await load('planos-ensino', again)).toMatchObject({ same: 1 });
  });

  it('replaces the teachers by those of the cell, and keeps them if the column is missing', async () => {
    const counts = async (teachers: string) =>
      load('planos-ensino', await plans(plan('IMP2', TEACHER, teachers)));
    expect(await counts('docente,s1204531')).toEqual({ created: 1, changed: 0, same: 0 });
    expect(await counts('"S1204531,docente\nDocente"')).toEqual({ created: 0, changed: 0, same: 1 });
    expect(await counts('s1198207, docente')).toEqual({ created: 0, changed: 1, same: 0 });
    expect(await teachersOf('IMP2')).toEqual(['docente', 's1198207']);
    const without = plan('IMP2', TEACHER, 'x').replace(';x;', ';');
    await load('planos-ensino', await file(`${planHeaders.replace('docentes;', '')}\n${without}`));
    expect(await teachersOf('IMP2')).toEqual(['docente', 's1198207']);
    expect(await counts('')).toEqual({ created: 0, changed: 1, same: 0 });
    expect(await teachersOf('IMP2')).toEqual([]);
    const trail = await sql(
      `select operacao, count(*)::int from auditoria where tabela = 'docente_plano'
       and id_registro > (select max(id) from docente_plano) - 10 group by 1 order by 1`,
    );
    expect(trail).toContainEqual(['delete', 3]);
  });

  it('is refused for a semester that no year has, and so are the steps of such a plan', async () => {
    for (const semester of ['0', '13', '2147483000']) {
      const of = (row: string) => row.replace(';2026;2;', `;2026;${semester};`);
      const expected = `semestre: expected a whole number from 1 to 12, found "${semester}"`;
      await expect(load('planos-ensino', await plans(of(plan('IMP6', TEACHER, ''))))).rejects.toThrow(
        expected,
      );
      await expect(
        load('tramitacoes-plano', await moves(of(move('IMP6', BOARD, '2026-08-03')))),
      ).rejects.toThrow(expected);
    }
    expect(await sql(`select id from plano_ensino where codigo_disciplina = 'IMP6'`)).toEqual([]);
  });

  it('is refused for an unknown teacher, and for a step that is not the last one', async () => {
    await load('planos-ensino', await plans(plan('IMP3', TEACHER, 'docente')));
    await load('tramitacoes-plano', await moves(move('IMP3', BOARD, '2026-08-03')));
    const bad = await plans(
      plan('IMP3', DEPARTMENT, 'docente'),
      plan('IMP4', TEACHER, 'ninguem,docente,outro'),
    );
    await expect(load('planos-ensino', bad, true)).rejects.toThrow(
      /has 2 problems\.\n {2}row 2, tramitacao_atual_descricao: expected the step of the plan's latest tramitacao, found "Apreciação do departamento"\n {2}row 3, docentes: expected records of pessoa, found "ninguem, outro"/,
    );
    expect(await stepOf('IMP3')).toBe(BOARD);
    await expect(load('tramitacoes-plano', await moves(move('IMP9', BOARD, '2026-08-03')))).rejects.toThrow(
      'found "IMP9, QUI-B, 2026, 2"',
    );
  });

  it('works in an empty database: courses, situations and steps come from files, too', async () => {
    expect(await load('cursos', await file('codigo;nome;modalidade\nFIS-B;Física;Presencial'))).toMatchObject(
      {
        created: 1,
      },
    );
    expect(
      await load('situacoes-plano-ensino', await file('codigo;descricao\nAN;Em análise\nRV;Em revisão')),
    ).toMatchObject({ created: 1, same: 1 });
    expect(await load('etapas-tramitacao', await file('descricao;ordem\nArquivo;6'))).toMatchObject({
      created: 1,
    });
  });

  it('takes 3,000 plans with their teachers in one go', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => plan(`M${i}`, TEACHER, 'docente,s1204531'));
    const path = await plans(...rows);
    expect(await load('planos-ensino', path)).toMatchObject({ created: 3_000 });
    expect(await load('planos-ensino', path, true)).toMatchObject({ same: 3_000 });
    expect(await teachersOf('M2999')).toEqual(['docente', 's1204531']);
  });
});
