import { checkDigits } from '../../domain/cpf.ts';
import type { Random } from './random.ts';
import type { CampusSize } from './size.ts';
import { department, firstName, personName, subject } from './words.ts';

/** Rows of a file that an importer reads, headers first. */
export type Cells = Iterable<readonly (string | number)[]>;

const DOMAIN = 'universidade.example';

/** The CPF of the person with this number, from 1. It begins with 1 to 8; those of the demo begin with 9. */
const cpfOf = (i: number): string => {
  const nine = String(100_000_000 + ((i * 7_919_123) % 799_999_991));
  return nine + checkDigits(nine);
};

const numbered = (letter: string, i: number): string => `${letter}${String(i).padStart(6, '0')}`;
export const studentName = (i: number): string => numbered('a', i);
export const teacherName = (i: number): string => numbered('d', i);
const staffName = (i: number): string => numbered('t', i);

/** Everybody with these numbers has left. */
const hasLeft = (i: number, every: number): boolean => i % every === 0;
const EMPLOYEES_LEFT = 20;
const STUDENTS_LEFT = 33;
/** The employee with this number, or the one before who has not left. */
const employed = (i: number): number => (hasLeft(i, EMPLOYEES_LEFT) ? i - 1 : i);
export const employedTeacher = (i: number): string => teacherName(employed(i));
export const employedStaff = (i: number): string => staffName(employed(i));

export const departmentCode = (i: number): string => `DEP${String(i + 1).padStart(3, '0')}`;
export const courseCode = (i: number): string => `CUR${String(i + 1).padStart(3, '0')}`;

export function* departments({ departments: count }: CampusSize): Cells {
  yield ['sigla', 'nome'];
  for (let i = 0; i < count; i++) yield [departmentCode(i), department(i)];
}

export function* courses({ courses: count }: CampusSize): Cells {
  yield ['codigo', 'nome', 'modalidade'];
  for (let i = 0; i < count; i++)
    yield [
      courseCode(i),
      `${subject(i)} (${i % 3 ? 'Bacharelado' : 'Licenciatura'})`,
      i % 9 ? 'Presencial' : 'A distância',
    ];
}

/** Two files: all people, and the employees among them. Reading the first fills the second, so read them in this order. */
export function people(random: Random, { students, teachers, staff, departments: places }: CampusSize) {
  const employees: (string | number)[][] = [];
  function* all(): Cells {
    yield ['usuario', 'nome', 'nome_social', 'email', 'cpf', 'situacao'];
    let i = 0;
    const groups = [
      [students, studentName, STUDENTS_LEFT],
      [teachers, teacherName, EMPLOYEES_LEFT],
      [staff, staffName, EMPLOYEES_LEFT],
    ] as const;
    for (const [count, userOf, every] of groups)
      for (let nth = 1; nth <= count; nth++) {
        const nome = personName(random);
        const social = random.happens(0.01)
          ? `${firstName(random)} ${nome.split(' ').slice(1).join(' ')}`
          : '';
        const usuario = userOf(nth);
        const situacao = hasLeft(nth, every) ? 'I' : 'A';
        const cpf = cpfOf((i += 1));
        const email = `${usuario}@${DOMAIN}`;
        if (userOf !== studentName)
          employees.push([
            cpf,
            nome,
            social,
            userOf === teacherName ? 'Estatutário – docente' : 'Estatutário – técnico-administrativo',
            `2026-0${random.from(1, 9)}-1${random.from(0, 9)} 09:30:00`,
            email,
            departmentCode(nth % places),
            situacao,
          ]);
        yield [usuario, nome, social, email, cpf, situacao];
      }
  }
  function* careers(): Cells {
    yield [
      'cpf',
      'nome_civil',
      'nome_social',
      'natureza_juridica',
      'ultima_alteracao',
      'email',
      'lotacao_sigla',
      'situacao',
    ];
    yield* employees;
  }
  return { all, careers };
}

const OFFICES = [
  'Secretaria',
  'Coordenação',
  'Biblioteca',
  'Laboratório multiusuário',
  'Revista',
  'Comissão eleitoral',
];

/** Managerial accounts, each held by one to three employees. */
export function* accounts(random: Random, { accounts: count, teachers, staff }: CampusSize): Cells {
  yield ['email', 'nome', 'descricao', 'suspensa', 'responsaveis'];
  for (let i = 1; i <= count; i++) {
    const holders = Array.from({ length: random.from(1, 3) }, () =>
      random.happens(0.5) ? employedTeacher(random.from(1, teachers)) : employedStaff(random.from(1, staff)),
    );
    const nome = `${random.of(OFFICES)} de ${subject(i)}`;
    yield [
      `conta${i}@${DOMAIN}`,
      nome,
      `Correspondência: ${nome}`,
      i % 40 ? 'não' : 'sim',
      holders.join(', '),
    ];
  }
}
