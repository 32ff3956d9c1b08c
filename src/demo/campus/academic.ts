import { courseCode, departmentCode, studentName, teacherName, type Cells } from './people.ts';
import type { Random } from './random.ts';
import type { CampusSize } from './size.ts';
import { SENTENCES, subject } from './words.ts';

/** A year and its half. */
interface Term {
  ano: number;
  semestre: number;
}

/** The term that is this many terms before the term of `today`. */
function termBefore(today: string, terms: number): Term {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const term = year * 2 + (month <= 6 ? 0 : 1) - terms;
  return { ano: Math.floor(term / 2), semestre: (term % 2) + 1 };
}

/** An enrolment, by what identifies it. */
interface Enrolment {
  matricula: string;
  /** Which of the student's enrolments it is, from 1. */
  nth: number;
  ano: number;
  course: number;
}

const STATES = ['Ativo', 'Ativo', 'Ativo', 'Formado', 'Formado', 'Trancado', 'Desistente', 'Jubilado'];

/** The enrolments of all students, as a file. Each student has one, and some have more. Reading it fills `all`. */
export function enrolments(random: Random, size: CampusSize, today: string) {
  const year = Number(today.slice(0, 4));
  const all: Enrolment[] = [];
  const ofStudent = new Map<number, number>();
  function* rows(): Cells {
    yield [
      'matricula',
      'vinculo',
      'pessoa_usuario',
      'nivel_curso',
      'ano_ingresso',
      'curso',
      'situacao',
      'habilitado',
    ];
    for (let i = 0; i < size.enrolments; i++) {
      const student = i < size.students ? i + 1 : random.from(1, size.students);
      const nth = (ofStudent.get(student) ?? 0) + 1;
      ofStudent.set(student, nth);
      const ano = year - random.from(0, 12);
      const matricula = `${ano}${String(i).padStart(5, '0')}`;
      const course = random.from(0, size.courses - 1);
      const situacao = random.of(STATES);
      all.push({ matricula, nth, ano, course });
      const level = random.happens(0.8) ? 1 : random.from(2, 4);
      const enabled = situacao === 'Ativo' ? 'sim' : 'não';
      yield [matricula, nth, studentName(student), level, ano, subject(course), situacao, enabled];
    }
  }
  return { rows, all };
}

const RESULTS = ['AP', 'AP', 'AP', 'AP', 'AP', 'RN', 'RF', 'EC', 'TR', 'DI'];
const STRUCTURES = ['Unidades obrigatórias', 'Unidades optativas', 'Atividades complementares'];

const disciplineCode = (i: number): string =>
  `${subject(i)
    .slice(0, 3)
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/[^A-Z]/g, '')}${String(i).padStart(4, '0')}`;
const disciplineName = (i: number): string =>
  `${subject(i)} – ${['Fundamentos', 'Teoria', 'Laboratório', 'Seminários'][i % 4]!} ${(i % 5) + 1}`;

/** `each` activities for every one of these enrolments. */
export function* activities(
  random: Random,
  { plans }: CampusSize,
  some: readonly Enrolment[],
  each: number,
): Cells {
  yield [
    'vinculo_matricula',
    'vinculo_vinculo',
    'codigo_atividade',
    'ano',
    'periodo',
    'nome_atividade',
    'estrutura',
    'ch_total',
    'situacao_sigla',
  ];
  for (const { matricula, nth, ano, course } of some)
    for (let i = 0; i < each; i++) {
      const discipline = (course * 17 + i * 31) % plans;
      yield [
        matricula,
        nth,
        disciplineCode(discipline),
        ano + Math.floor(i / 4),
        (i % 2) + 1,
        disciplineName(discipline),
        random.of(STRUCTURES),
        random.of([30, 45, 60, 75, 90]),
        random.of(RESULTS),
      ];
    }
}

const STEPS = [
  'Elaboração pelo docente',
  'Apreciação do departamento',
  'Apreciação do colegiado',
  'Pró-Reitoria de Graduação',
  'Publicação',
];
/** Situations of plans at each step. */
const SITUATIONS = [['EL', 'DV'], ['AN', 'DV'], ['AN'], ['AP'], ['PU']];

const paragraph = (random: Random): string =>
  Array.from({ length: random.from(2, 5) }, () => random.of(SENTENCES)).join(' ');

/**
 * Two files: the teaching plans of a term, and the workflow steps of these plans. Reading the first fills the second,
 * so read them in this order. `before` counts the terms back from today's.
 */
export function teachingPlans(random: Random, size: CampusSize, today: string, before: number) {
  const { ano, semestre } = termBefore(today, before);
  const steps: (string | number)[][] = [];
  const begin = Date.UTC(ano, semestre === 1 ? 1 : 7, 1);
  function* plans(): Cells {
    yield [
      'codigo_disciplina',
      'curso_codigo',
      'ano',
      'semestre',
      'nome_disciplina',
      'departamento_sigla',
      'carga_horaria',
      'situacao_codigo',
      'tramitacao_atual_descricao',
      'docentes',
      'ementa',
      'objetivos',
      'programa',
      'metodologia',
      'avaliacao',
      'bibliografia_basica',
    ];
    for (let i = 0; i < size.plans; i++) {
      const codigo = disciplineCode(i);
      const curso = courseCode(i % size.courses);
      const teachers = [
        ...new Set(Array.from({ length: random.from(1, 2) }, () => random.from(1, size.teachers))),
      ];
      // The term of today may have only begun.
      const last = before > 0 && random.happens(0.97) ? STEPS.length - 1 : random.from(0, STEPS.length - 1);
      const moments = Array.from({ length: last + 1 }, (_, step) => {
        const day = begin + (step * 9 + random.from(0, 8)) * 86_400_000;
        return new Date(day + random.from(0, 36_000) * 1_000).toISOString().slice(0, 19) + 'Z';
      }).filter(moment => moment < today);
      const reached = Math.max(moments.length - 1, 0);
      for (const [step, moment] of moments.entries())
        steps.push([codigo, curso, ano, semestre, STEPS[step]!, moment, teacherName(teachers[0]!)]);
      yield [
        codigo,
        curso,
        ano,
        semestre,
        disciplineName(i),
        departmentCode(i % size.departments),
        random.of([30, 45, 60, 75, 90]),
        random.of(SITUATIONS[reached]!),
        STEPS[reached]!,
        teachers.map(teacherName).join(', '),
        ...Array.from({ length: 5 }, () => paragraph(random)),
        `${subject(i)}: uma introdução. 3. ed. São Paulo: Editora Universitária, ${2000 + (i % 25)}.`,
      ];
    }
  }
  function* workflow(): Cells {
    yield [
      'plano_ensino_codigo_disciplina',
      'plano_ensino_curso_codigo',
      'plano_ensino_ano',
      'plano_ensino_semestre',
      'etapa_descricao',
      'data',
      'pessoa_usuario',
    ];
    yield* steps;
  }
  return { plans, workflow };
}
