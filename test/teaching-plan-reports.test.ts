import { describe, expect, it } from 'vitest';
import { DocentePlano } from '../src/entities/academico/docente-plano.ts';
import { Curso } from '../src/entities/academico/curso.ts';
import { EtapaTramitacao } from '../src/entities/academico/etapa-tramitacao.ts';
import { PlanoEnsino } from '../src/entities/academico/plano-ensino.ts';
import { SituacaoPlanoEnsino } from '../src/entities/academico/situacao-plano-ensino.ts';
import { TramitacaoPlano } from '../src/entities/academico/tramitacao-plano.ts';
import { Lotacao } from '../src/entities/almoxarifado/lotacao.ts';
import { Pessoa } from '../src/entities/permissoes/pessoa.ts';
import { planReports as reports, rowsOf } from './support/reports.ts';
import { useService } from './support/service.ts';
import { readThrough } from './support/statements.ts';
import type { Body } from './support/stock.ts';

const service = useService();
const admin = () => service().as('admin');

/** A plan of 1999: its situation, its step, and how many days ago it reached the step. */
interface PlanOptions {
  situacao?: string;
  etapa?: string;
  dias?: number;
  docentes?: number;
  semestre?: number;
}

let courses = 0;

/** Plans of a separate course, in a year without other plans. */
async function makePlans(options: readonly PlanOptions[]): Promise<{ idCurso: number; ids: number[] }> {
  const em = service().services.orm.em.fork();
  const named = `${(courses += 1)}`;
  const curso = em.create(Curso, {
    codigo: `T-${named}`,
    nome: `Curso de teste ${named}`,
    modalidade: 'Presencial',
  });
  const [departamento] = await em.find(Lotacao, {}, { limit: 1 });
  const pessoas = await em.find(Pessoa, {}, { limit: 3, orderBy: { id: 'asc' } });
  const state = new Map((await em.find(SituacaoPlanoEnsino, {})).map(one => [one.codigo, one]));
  const steps = await em.find(EtapaTramitacao, {}, { orderBy: { ordem: 'asc' } });
  const plans: PlanoEnsino[] = [];
  for (const {
    situacao = 'AP',
    etapa = steps[0]!.descricao,
    dias = 0,
    docentes = 1,
    semestre = 1,
  } of options) {
    const step = steps.find(({ descricao }) => descricao === etapa)!;
    const planoEnsino = em.create(PlanoEnsino, {
      curso,
      departamento: departamento!,
      codigoDisciplina: 'TST',
      nomeDisciplina: `Disciplina ${plans.length}`,
      cargaHoraria: 60,
      ano: 1999,
      semestre,
      situacao: state.get(situacao)!,
      tramitacaoAtual: step,
    } as never);
    for (const pessoa of pessoas.slice(0, docentes)) em.create(DocentePlano, { planoEnsino, pessoa });
    const [{ data }] = await em.execute<[{ data: Date }]>(
      `select (current_date - ${dias})::timestamptz + interval '30 minutes' as data`,
    );
    em.create(TramitacaoPlano, {
      planoEnsino,
      etapa: step,
      data: new Date(data),
      pessoa: pessoas[0]!,
    } as never);
    plans.push(planoEnsino);
  }
  await em.flush();
  return { idCurso: curso.id, ids: plans.map(plan => plan.id) };
}

/** Shares of each value in its group, in hundredths of a percent, each value once. */
function sharesOf(
  rows: readonly Body[],
  group: (row: Body) => unknown,
  value: string,
  share: string,
): number[] {
  const groups = new Map<unknown, Map<unknown, number>>();
  for (const row of rows) {
    const known = groups.get(group(row)) ?? new Map<unknown, number>();
    groups.set(group(row), known.set(row[value], row[share]));
  }
  return [...groups.values()].map(values =>
    [...values.values()].reduce((sum, one) => sum + Math.round(one * 100), 0),
  );
}

const measures = [
  ['situacao_codigo', 'situacao_porcentagem'],
  ['tramitacao_atual', 'tramitacao_atual_porcentagem'],
] as const;

const groups: Record<keyof typeof reports, (row: Body) => unknown> = {
  teachers: row => row.id_servidor,
  course: row => row.id_curso_plano,
  department: row => row.id_unidade_departamento,
  step: row => row.id_curso_plano,
  all: () => 'all',
  time: row => `${row.ano}/${row.semestre}`,
};

describe.each(Object.keys(reports) as (keyof typeof reports)[])('the report on %s', name => {
  it('gives shares that add up to 100 in each group, exactly', async () => {
    await makePlans(['AP', 'AN', 'PU', 'AP', 'AN', 'AP', 'AN'].map(situacao => ({ situacao })));
    const rows = await rowsOf(await admin(), reports[name]);
    expect(rows.length).toBeGreaterThan(0);
    for (const [value, share] of measures)
      expect(new Set(sharesOf(rows, groups[name], value, share))).toEqual(new Set([10_000]));
  });

  it('takes each share of all plans of the group', async () => {
    const rows = await rowsOf(await admin(), reports[name]);
    for (const row of rows) {
      const group = rows.filter(other => groups[name](other) === groups[name](row));
      expect(row.planos_grupo).toBe(group.length);
      for (const [value, share] of measures) {
        const exact = (100 * group.filter(other => other[value] === row[value]).length) / group.length;
        expect(Math.abs(row[share] - exact)).toBeLessThan(0.01);
      }
    }
  });
});

describe('a filter', () => {
  const plans: PlanOptions[] = [
    { situacao: 'AP', semestre: 1 },
    { situacao: 'AP', semestre: 1 },
    { situacao: 'AN', semestre: 1 },
    { situacao: 'AN', semestre: 2 },
  ];

  it('by situation shows fewer rows with the same shares', async () => {
    const { idCurso } = await makePlans(plans);
    const rows = await rowsOf(await admin(), reports.course, {
      idCursoPlano: String(idCurso),
      situacaoCodigo: 'AP',
    });
    expect(rows.map(row => [row.situacao_porcentagem, row.planos_grupo])).toEqual([
      [50, 4],
      [50, 4],
    ]);
  });

  it('by anything else changes the total of the shares', async () => {
    const { idCurso } = await makePlans(plans);
    const query = { idCursoPlano: String(idCurso), semestre: '1' };
    const rows = await rowsOf(await admin(), reports.course, query);
    expect(rows.map(row => `${row.situacao_codigo} ${row.situacao_porcentagem}`).toSorted()).toEqual([
      'AN 33.33',
      'AP 66.67',
      'AP 66.67',
    ]);
  });

  it('by teacher finds the plans that they share with others, each plan once', async () => {
    const { idCurso, ids } = await makePlans([{ docentes: 2 }, { docentes: 1 }, { docentes: 0 }]);
    const query = { idCursoPlano: String(idCurso) };
    const whole = await rowsOf(await admin(), reports.all, query);
    expect(whole.map(row => row.id as number).toSorted((a, b) => a - b)).toEqual(ids);
    const second = whole.find(row => row.id === ids[0])!.id_servidores[1];
    const shared = await rowsOf(await admin(), reports.all, { ...query, idServidor: String(second) });
    expect(shared.map(row => [row.id, row.situacao_porcentagem])).toEqual([[ids[0], 100]]);
    const teachers = await rowsOf(await admin(), reports.teachers, query);
    expect(teachers).toHaveLength(3);
  });
});

describe('a whole report', () => {
  it('that is longer than a part has the rows of all pages, and leaves as it is read', async () => {
    await service().sql(
      `insert into plano_ensino (id_curso, id_departamento, codigo_disciplina, nome_disciplina, carga_horaria, ano, semestre,
         id_situacao, id_tramitacao_atual)
       select c.id, d.id, 'P' || n, 'Disciplina ' || n, 60, 1998, 1 + n % 2, s.id, e.id
       from generate_series(1, 2100) n, (select min(id) as id from curso) c, (select min(id) as id from lotacao) d,
         lateral (select id from situacao_plano_ensino order by (id + n) % 5, id limit 1) s,
         lateral (select id from etapa_tramitacao order by (id + n) % 3, id limit 1) e`,
    );
    // As after an import.
    await service().sql('analyze plano_ensino');
    for (const path of [reports.all, reports.time]) {
      const { status, headers, body } = await (await admin()).get(`${path}?ano=1998`);
      expect(status).toBe(200);
      // Its length is not known before it is sent.
      expect(headers.get('content-length')).toBeNull();
      expect(body.total).toBe(2100);
      expect(body.data).toEqual(await rowsOf(await admin(), path, { ano: '1998', pagination: 'true' }));
    }
  });
});

describe('a report that several people ask for at the same time', () => {
  const isReport = (text: string): boolean => text.includes('docente_plano');

  it('is computed once for those who came while it was computed, with all that was written before', async () => {
    const people = await Promise.all(['admin', 'admin', 'admin'].map(who => service().anyone.login(who)));
    const { idCurso } = await makePlans([{}]);
    const path = `${reports.teachers}?idCursoPlano=${idCurso}`;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let computed = 0;
    const restore = readThrough(service(), async (read, text, ...rest) => {
      const rows = await read(text, ...rest);
      if (!isReport(text)) return rows;
      computed += 1;
      begin();
      await released;
      return rows;
    });
    try {
      const first = people[0]!.get(path);
      await begun;
      await service().sql('update plano_ensino set nome_disciplina = $1 where id_curso = $2', [
        'Nova',
        idCurso,
      ]);
      const others = people.flatMap(person => [1, 2].map(() => person.get(path)));
      // Requests are answered in the order in which they were sent, so the others are waiting now.
      for (const person of people) await person.get('/almoxarifadoquimicos/unidades-medida');
      expect(computed).toBe(1);
      release();
      const names = (answer: { body: Body }): string => answer.body.data[0].nome_disciplina;
      expect(names(await first)).toBe('Disciplina 0');
      expect((await Promise.all(others)).map(names)).toEqual(others.map(() => 'Nova'));
      expect(computed).toBeLessThan(others.length);
    } finally {
      release();
      restore();
    }
  });

  it('is computed for each of them by their own filters', async () => {
    const courses = [await makePlans([{}]), await makePlans([{}, {}]), await makePlans([{}, {}, {}])];
    const answers = await Promise.all(
      courses.map(async ({ idCurso }) =>
        rowsOf(await admin(), reports.course, { idCursoPlano: String(idCurso) }),
      ),
    );
    expect(answers.map(rows => rows.map(row => row.id as number).toSorted((a, b) => a - b))).toEqual(
      courses.map(({ ids }) => ids),
    );
  });
});

describe('the time of the plans', () => {
  it('is counted in days before today, and today begins at midnight of the institution', async () => {
    await makePlans([0, 1, 2, 7].map(dias => ({ dias, semestre: 3 })));
    const days = async (query: Record<string, string>) =>
      (await rowsOf(await admin(), reports.time, { ano: '1999', semestre: '3', ...query }))
        .map(row => row.dias as number)
        .toSorted((a, b) => a - b);
    expect(await days({})).toEqual([0, 1, 2, 7]);
    expect(await days({ dias: '2' })).toEqual([0, 1, 2]);
    expect(await days({ dias: '1' })).toEqual([0, 1]);
    expect(await days({ dias: '0' })).toEqual([0]);
  });

  it('tells what is stuck for more than some days, and what has reached the last step is not', async () => {
    const [[last]] = (await service().sql(
      'select descricao from etapa_tramitacao order by ordem desc limit 1',
    )) as [[string]];
    await makePlans([
      ...[0, 3, 10, 40].map(dias => ({ dias, semestre: 4 })),
      { dias: 100, semestre: 4, etapa: last },
    ]);
    const stuck = async (query: Record<string, string>) =>
      (await rowsOf(await admin(), reports.time, { ano: '1999', semestre: '4', ...query }))
        .map(row => row.dias as number)
        .toSorted((a, b) => a - b);
    expect(await stuck({})).toEqual([0, 3, 10, 40, 100]);
    expect(await stuck({ diasParado: '3' })).toEqual([10, 40]);
    expect(await stuck({ diasParado: '0' })).toEqual([3, 10, 40]);
    expect(await stuck({ diasParado: '2', dias: '20' })).toEqual([3, 10]);
    const rows = await rowsOf(await admin(), reports.time, { ano: '1999', semestre: '4', dias: '100' });
    expect(rows.find(row => row.dias === 100)!['dias_parado']).toBeNull();
  });

  it('is told of all plans, and shares are by year, although the semester of one is no semester', async () => {
    const { ids } = await makePlans([{ situacao: 'AP' }, { situacao: 'AN', semestre: 2_147_483_000 }, {}]);
    // A year times a hundred, and its semester, are the same number for these two.
    await service().sql('update plano_ensino set ano = 1890, semestre = 101 where id = $1', [ids[0]]);
    await service().sql('update plano_ensino set ano = 1891, semestre = 1 where id = $1', [ids[2]]);
    try {
      const rows = await rowsOf(await admin(), reports.time);
      expect(
        rows
          .filter(({ id }) => ids.includes(id))
          .map(row => [row.id, row.planos_grupo])
          .toSorted(([a], [b]) => a - b),
      ).toEqual(ids.map(id => [id, 1]));
    } finally {
      await service().sql('update plano_ensino set ano = 1999, semestre = 1 where id = any($1)', [ids]);
    }
  });

  it('is never negative', async () => {
    for (const field of ['dias', 'diasParado']) {
      const answer = await (await admin()).get(`${reports.time}?${field}=-1`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    }
  });
});
