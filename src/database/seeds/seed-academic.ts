import type { EntityManager } from '@mikro-orm/postgresql';
import { AtividadeCurriculoDiscente } from '../../entities/academico/atividade-curriculo-discente.ts';
import { Curso } from '../../entities/academico/curso.ts';
import { DocentePlano } from '../../entities/academico/docente-plano.ts';
import { EtapaTramitacao } from '../../entities/academico/etapa-tramitacao.ts';
import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { SituacaoAtividadeCurriculo } from '../../entities/academico/situacao-atividade-curriculo.ts';
import { SituacaoPlanoEnsino } from '../../entities/academico/situacao-plano-ensino.ts';
import { TramitacaoPlano } from '../../entities/academico/tramitacao-plano.ts';
import { VinculoDiscente } from '../../entities/academico/vinculo-discente.ts';
import { Lotacao } from '../../entities/almoxarifado/lotacao.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import {
  demoActivities,
  demoActivityStates,
  demoCourses,
  demoPlans,
  demoPlanStates,
  demoSteps,
  demoStudents,
  demoTeachers,
  lastSemesters,
} from './demo-academic.ts';
import { Dice } from './demo-chance.ts';
import { demoMethods } from './demo-disciplines.ts';

/** The demo's students with their activities, and its teaching plans. Departments are there already. */
export async function seedAcademic(em: EntityManager, people: ReadonlyMap<string, Pessoa>): Promise<void> {
  const [{ today }] = await em.execute<[{ today: string }]>('select current_date::text as today');
  const known = new Map(people);
  for (const { usuario, nome } of [...demoTeachers, ...demoStudents])
    known.set(usuario, em.create(Pessoa, { usuario, nome, email: `${usuario}@universidade.example` }));
  const courses = new Map<string, Curso>(
    demoCourses.map(course => [course.codigo, em.create(Curso, course)]),
  );
  seedStudents(em, known, today);
  await seedPlans(em, known, courses, today);
  await em.flush();
}

function seedStudents(em: EntityManager, people: ReadonlyMap<string, Pessoa>, today: string): void {
  const states = new Map<string, SituacaoAtividadeCurriculo>(
    demoActivityStates.map(state => [state.sigla, em.create(SituacaoAtividadeCurriculo, state)]),
  );
  const { ano } = lastSemesters(today)[0]!;
  const act = (vinculo: VinculoDiscente, skipped: number): void => {
    for (const { sigla, ...columns } of demoActivities(today, skipped))
      em.create(AtividadeCurriculoDiscente, { ...columns, vinculo, situacao: states.get(sigla)! });
  };
  const pessoa = people.get('discente')!;
  const own = { pessoa, matricula: 202_410_099, nivelCurso: 1, curso: demoCourses[0].nome };
  const active = { situacao: 'Ativo', habilitado: 'S' } as const;
  act(em.create(VinculoDiscente, { ...own, ...active, vinculo: 2, anoIngresso: ano }), 0);
  const earlier = { ...own, curso: 'Física (Licenciatura)', situacao: 'Desistente', anoIngresso: ano - 2 };
  em.create(VinculoDiscente, { ...earlier, vinculo: 1 });
  demoStudents.forEach(({ usuario }, i) => {
    const graduated = i % 4 === 3;
    const vinculo = em.create(VinculoDiscente, {
      pessoa: people.get(usuario)!,
      matricula: Number(usuario.slice(1)),
      vinculo: 1,
      nivelCurso: 1 + (i % 3),
      anoIngresso: Number(usuario.slice(1, 5)),
      curso: demoCourses[i % demoCourses.length]!.nome,
      ...(graduated ? { situacao: 'Formado' } : active),
    });
    act(vinculo, i % 4);
  });
}

async function seedPlans(
  em: EntityManager,
  people: ReadonlyMap<string, Pessoa>,
  courses: ReadonlyMap<string, Curso>,
  today: string,
): Promise<void> {
  const departments = new Map((await em.find(Lotacao, {})).map(lotacao => [lotacao.sigla, lotacao]));
  const states = new Map<string, SituacaoPlanoEnsino>(
    demoPlanStates.map(state => [state.codigo, em.create(SituacaoPlanoEnsino, state)]),
  );
  const steps = demoSteps.map((descricao, i) => em.create(EtapaTramitacao, { descricao, ordem: i + 1 }));
  const secretary = people.get(demoTeachers[4].usuario)!;
  for (const { discipline, curso, codigo, ano, semestre, steps: taken } of demoPlans(today, new Dice(40))) {
    const { nome, departamento, cargaHoraria, docentes, programa, basica, complementar, kind } = discipline;
    const planoEnsino = em.create(PlanoEnsino, {
      ano,
      semestre,
      cargaHoraria,
      ...demoMethods[kind],
      curso: courses.get(curso)!,
      departamento: departments.get(departamento)!,
      codigoDisciplina: discipline.codigo,
      nomeDisciplina: nome,
      ementa: discipline.ementa,
      objetivos: discipline.objetivos,
      programa: programa.join('\n'),
      bibliografiaBasica: basica.join('\n'),
      bibliografiaComplementar: complementar.join('\n'),
      situacao: states.get(codigo)!,
      tramitacaoAtual: steps[taken.at(-1)!.step]!,
    });
    const teachers = docentes.map(usuario => people.get(usuario)!);
    for (const pessoa of teachers) em.create(DocentePlano, { planoEnsino, pessoa });
    // The teacher opens the plan and hands it in; from there on the offices pass it on.
    taken.forEach(({ step, data, observacao }, i) => {
      const pessoa = i < 2 ? teachers[0]! : secretary;
      em.create(TramitacaoPlano, { planoEnsino, etapa: steps[step]!, data, pessoa, observacao });
    });
  }
}
