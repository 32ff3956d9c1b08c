import { addDays, type Dice } from './demo-chance.ts';
import { demoDisciplines, type DemoDiscipline } from './demo-disciplines.ts';

/** People without a login, beside those of `demoPeople`; all fictional. The user name is made of a number. */
export const demoTeachers = [
  { usuario: 's1204531', nome: 'Marília Tavares Boaventura' },
  { usuario: 's1198207', nome: 'Otávio Queiroz Pamplona' },
  { usuario: 's1337450', nome: 'Renata Figueiredo Aguiar' },
  { usuario: 's1401122', nome: 'Heitor Vasconcelos Brandão' },
  { usuario: 's1275984', nome: 'Lívia Sampaio Gonçalves' },
  { usuario: 's1150376', nome: 'Ezequiel Moraes Antunes' },
] as const;

export const demoStudents = [
  { usuario: 'd202410007', nome: 'Tomás Albuquerque Freire' },
  { usuario: 'd202410015', nome: 'Iara Benício da Silva' },
  { usuario: 'd202410023', nome: 'Wagner Coutinho Paes' },
  { usuario: 'd202320031', nome: 'Clarice Dutra Magalhães' },
  { usuario: 'd202310048', nome: 'Ícaro Esteves Ramalho' },
  { usuario: 'd202220056', nome: 'Noêmia Falcão Teles' },
  { usuario: 'd202210064', nome: 'Murilo Guedes Ávila' },
  { usuario: 'd202510072', nome: 'Sílvia Horta Junqueira' },
  { usuario: 'd202510080', nome: 'Péricles Leal Nunes' },
] as const;

export const demoCourses = [
  { codigo: 'QUI-B', nome: 'Química (Bacharelado)', modalidade: 'Presencial' },
  { codigo: 'QUI-L', nome: 'Química (Licenciatura)', modalidade: 'A distância' },
  { codigo: 'CBI-B', nome: 'Ciências Biológicas (Bacharelado)', modalidade: 'Presencial' },
  { codigo: 'CBI-L', nome: 'Ciências Biológicas (Licenciatura)', modalidade: 'Semipresencial' },
  { codigo: 'EMT-B', nome: 'Engenharia de Materiais', modalidade: 'Presencial' },
] as const;

export const demoActivityStates = [
  { situacao: 'Aprovado', sigla: 'AP' },
  { situacao: 'Reprovado por nota', sigla: 'RN' },
  { situacao: 'Reprovado por frequência', sigla: 'RF' },
  { situacao: 'Em curso', sigla: 'EC' },
  { situacao: 'Trancado', sigla: 'TR' },
  { situacao: 'Dispensado', sigla: 'DI' },
  { situacao: 'Cancelado', sigla: 'CA' },
] as const;

type StateCode = (typeof demoActivityStates)[number]['sigla'];

const MANDATORY = 'Unidades obrigatórias';
const ELECTIVE = 'Unidades optativas';
const FURTHER = 'Atividades complementares';

/** Four semesters of a student of chemistry, the first one first: code, name, part of the curriculum, hours, state. */
const demoSemesters: readonly (readonly [string, string, string, number, StateCode])[][] = [
  [
    ['QUI0101', 'Química Geral I', MANDATORY, 60, 'AP'],
    ['QUI0105', 'Química Geral Experimental', MANDATORY, 45, 'AP'],
    ['MAT0110', 'Cálculo Diferencial e Integral I', MANDATORY, 90, 'RN'],
    ['FIS0101', 'Física I', MANDATORY, 60, 'AP'],
    ['LET0020', 'Inglês Instrumental', ELECTIVE, 30, 'DI'],
    ['ACC0001', 'Semana Acadêmica da Química', FURTHER, 20, 'AP'],
  ],
  [
    ['QUI0102', 'Química Geral II', MANDATORY, 60, 'AP'],
    ['MAT0110', 'Cálculo Diferencial e Integral I', MANDATORY, 90, 'AP'],
    ['FIS0102', 'Física II', MANDATORY, 60, 'RF'],
    ['QUI0150', 'Química Inorgânica I', MANDATORY, 60, 'AP'],
    ['EST0105', 'Estatística Básica', MANDATORY, 60, 'AP'],
    ['ADM0030', 'Empreendedorismo', ELECTIVE, 45, 'TR'],
  ],
  [
    ['QUI0213', 'Química Orgânica I', MANDATORY, 60, 'AP'],
    ['QUI0320', 'Química Analítica Quantitativa', MANDATORY, 90, 'AP'],
    ['MAT0120', 'Cálculo Diferencial e Integral II', MANDATORY, 90, 'AP'],
    ['FIS0102', 'Física II', MANDATORY, 60, 'AP'],
    ['HIS0044', 'História da Ciência', ELECTIVE, 45, 'CA'],
    ['ACC0007', 'Monitoria de Química Geral', FURTHER, 40, 'AP'],
  ],
  [
    ['QUI0214', 'Química Orgânica II', MANDATORY, 60, 'EC'],
    ['QUI0415', 'Termodinâmica Química', MANDATORY, 60, 'EC'],
    ['BIO0110', 'Bioquímica', MANDATORY, 75, 'EC'],
    ['QUI0330', 'Métodos Instrumentais de Análise', MANDATORY, 90, 'EC'],
    ['LIB0001', 'Língua Brasileira de Sinais', ELECTIVE, 60, 'EC'],
  ],
];

export interface Semester {
  ano: number;
  semestre: number;
}

/** The last four semesters, that of `today` last. */
export function lastSemesters(today: string): Semester[] {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const current = year * 2 + (month <= 6 ? 0 : 1);
  return [3, 2, 1, 0].map(ago => ({
    ano: Math.floor((current - ago) / 2),
    semestre: ((current - ago) % 2) + 1,
  }));
}

export interface DemoActivity {
  codigoAtividade: string;
  nomeAtividade: string;
  estrutura: string;
  ano: number;
  periodo: number;
  chTotal: number;
  sigla: StateCode;
}

/** What a student did in the last semesters, so many of them left out at the start. */
export const demoActivities = (today: string, skipped: number): DemoActivity[] =>
  lastSemesters(today)
    .slice(skipped)
    .flatMap(({ ano, semestre }, i) =>
      demoSemesters[i + skipped]!.map(([codigoAtividade, nomeAtividade, estrutura, chTotal, sigla]) => ({
        codigoAtividade,
        nomeAtividade,
        estrutura,
        ano,
        periodo: semestre,
        chTotal,
        sigla,
      })),
    );

export const demoPlanStates = [
  { codigo: 'EL', descricao: 'Em elaboração' },
  { codigo: 'AN', descricao: 'Em análise' },
  { codigo: 'DV', descricao: 'Devolvido para ajustes' },
  { codigo: 'AP', descricao: 'Aprovado' },
  { codigo: 'PU', descricao: 'Publicado' },
  { codigo: 'CA', descricao: 'Cancelado' },
] as const;

/** Steps in the order of the way. */
export const demoSteps = [
  'Elaboração pelo docente',
  'Apreciação do departamento',
  'Apreciação do colegiado',
  'Pró-Reitoria de Graduação',
  'Publicação',
] as const;

/** Ways that plans take: how they stand at the end, and which steps they came to, with a remark. */
const ways = {
  draft: { codigo: 'EL', steps: [[0, null]] },
  department: {
    codigo: 'AN',
    steps: [
      [0, null],
      [1, 'Para apreciação na próxima reunião.'],
    ],
  },
  board: {
    codigo: 'AN',
    steps: [
      [0, null],
      [1, null],
      [2, 'Aprovado no departamento por unanimidade.'],
    ],
  },
  returned: {
    codigo: 'DV',
    steps: [
      [0, null],
      [1, null],
      [0, 'Atualizar a bibliografia básica e informar os critérios da avaliação final.'],
    ],
  },
  approved: {
    codigo: 'AP',
    steps: [
      [0, null],
      [1, null],
      [2, null],
      [3, 'Aprovado pelo colegiado, ata anexada ao processo.'],
    ],
  },
  published: {
    codigo: 'PU',
    steps: [
      [0, null],
      [1, null],
      [2, 'Aprovado no departamento.'],
      [3, null],
      [4, 'Disponível aos estudantes no portal.'],
    ],
  },
  cancelled: {
    codigo: 'CA',
    steps: [
      [0, null],
      [1, 'Turma cancelada por falta de inscritos.'],
    ],
  },
} as const;

export interface DemoPlan extends Semester {
  discipline: DemoDiscipline;
  /** `codigo` of one of `demoCourses`, and of one of `demoPlanStates`. */
  curso: string;
  codigo: string;
  /** Where it came to, as an index of `demoSteps`, and when. */
  steps: { step: number; data: Date; observacao: string | null }[];
}

const current = ['draft', 'department', 'board', 'returned', 'approved'] as const;

/** How the plan of a discipline stands so many semesters later: what is over is mostly published. */
function wayOf(discipline: number, semester: number): keyof typeof ways {
  if (semester === 3) return current[discipline % current.length]!;
  if (semester === 2) return discipline % 3 === 0 ? 'approved' : 'published';
  return semester === 1 && discipline % 5 === 4 ? 'cancelled' : 'published';
}

const weekday = (day: string): string => addDays(day, [1, 0, 0, 0, 0, 0, 2][new Date(day).getUTCDay()]!);

/** Forty plans: each discipline in each of the last four semesters. Those of the current one are a few weeks old. */
export function demoPlans(today: string, dice: Dice): DemoPlan[] {
  return lastSemesters(today).flatMap((semester, s) =>
    demoDisciplines.map((discipline, d) => {
      const begun = `${semester.ano}-${semester.semestre === 1 ? '01-20' : '06-10'}`;
      let day = s === 3 ? addDays(today, -20 - 3 * d) : begun;
      const { codigo, steps } = ways[wayOf(d, s)];
      return {
        ...semester,
        discipline,
        curso: discipline.cursos[s % discipline.cursos.length]!,
        codigo,
        steps: steps.map(([step, observacao]) => {
          const data = new Date(`${weekday(day)}T${dice.between(12, 20)}:${dice.between(10, 59)}:00Z`);
          day = addDays(weekday(day), dice.between(2, s === 3 ? 3 : 9));
          return { step, data, observacao };
        }),
      };
    }),
  );
}
