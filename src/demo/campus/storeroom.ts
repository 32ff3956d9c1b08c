import { verifierDigit } from '@fnando/cnpj';
import { demoRecords } from '../files.ts';
import { departmentCode, employedStaff, employedTeacher, type Cells } from './people.ts';
import type { CampusSize } from './size.ts';
import { GRADES, PACKAGES, subject, SUPPLIERS } from './words.ts';

const company = (i: number): string =>
  `${SUPPLIERS[i % SUPPLIERS.length]!} ${['Indústria', 'Comércio', 'Importação', 'Transportes'][i % 4]!} ${i + 1} Ltda.`;
export const placeCode = (i: number): string =>
  i < 4 ? `ALMOX-${i + 1}` : `LAB-${String(i).padStart(4, '0')}`;

/** A CNPJ with the check digits that fit it. */
function cnpj(i: number): string {
  const digits = Array.from(String(400_000_000_001 + i * 10_000), Number);
  digits.push(verifierDigit(digits));
  return [...digits, verifierDigit(digits)].join('');
}

/** How many storerooms there are. They are the first places, and receive what is bought. */
export const STOREROOMS = 4;

export function* companies({ companies: count }: CampusSize): Cells {
  yield ['nome', 'cnpj', 'tipo_empresa_descricao'];
  for (let i = 0; i < count; i++)
    yield [company(i), cnpj(i), ['Fabricante', 'Fornecedor', 'Transportadora'][i % 3]!];
}

export function* places({ places: count, departments }: CampusSize): Cells {
  yield ['sigla', 'nome', 'lotacao_sigla', 'restrito', 'finalidade'];
  for (let i = 0; i < count; i++) {
    const nome =
      i < STOREROOMS ? `Almoxarifado setorial ${i + 1}` : `Laboratório de ${subject(i)}, sala ${100 + i}`;
    yield [
      placeCode(i),
      nome,
      departmentCode(i % departments),
      i % 50 ? 'não' : 'sim',
      i < STOREROOMS ? '' : (i % 5) + 1,
    ];
  }
}

/** Each laboratory has a teacher and a technician who answer for it. */
export function* managers({ places: count, teachers, staff }: CampusSize, since: string): Cells {
  yield ['local_sigla', 'pessoa_usuario', 'data_inicio'];
  for (let i = 0; i < count; i++) {
    yield [placeCode(i), employedTeacher(1 + (i % teachers)), since];
    yield [placeCode(i), employedStaff(1 + (i % staff)), since];
  }
}

const FEDERAL_POLICE = 'Polícia Federal';
type Model = Record<string, string | null>;
type Rows = AsyncGenerator<readonly (string | number)[]>;

/** The demo's materials. Those that the Federal Police controls have a code, which is invented: no source says the true one. */
const models = async (): Promise<Model[]> =>
  (await demoRecords('materiais')).map((model, i) => ({
    ...model,
    codigo_pf: model['tipo_controle_descricao'] === FEDERAL_POLICE ? `TPN${10_000_000 + i}` : '',
  }));

/** Codes of controlled chemicals. With them the map of a month can be written. */
export async function* controlledCodes(): Rows {
  yield ['codigo', 'nome'];
  for (const { codigo_pf: code, titulo } of await models()) if (code) yield [code, titulo!];
}

/** The demo's materials with their codes, and variants of them, with their units, control types and hazards. */
export async function* materials({ materials: count }: CampusSize): Rows {
  const known = await models();
  const headers = Object.keys(known[0]!);
  const cells = (model: Model): string[] => headers.map(header => model[header] ?? '');
  yield headers;
  for (const model of known) yield cells(model);
  for (let i = 0; i < count; i++) {
    const model = known[i % known.length]!;
    const variant = Math.floor(i / known.length);
    const [grade, inside, by] = [
      variant,
      variant / GRADES.length,
      variant / GRADES.length / PACKAGES.length,
    ].map(Math.floor);
    const titulo = [
      model['titulo'],
      GRADES[grade! % GRADES.length],
      PACKAGES[inside! % PACKAGES.length],
      SUPPLIERS[by! % SUPPLIERS.length],
    ].join(', ');
    const control = variant % 8 > 0 && { tipo_controle_descricao: 'Sem controle', codigo_pf: '' };
    yield cells({ ...model, titulo, ...control });
  }
}

export async function titles(size: CampusSize): Promise<string[]> {
  const all: string[] = [];
  for await (const [titulo] of materials(size)) all.push(String(titulo));
  return all.slice(1);
}

/** Minimum stock of some materials at some places. */
export function* minimums({ minimums: count, places: all }: CampusSize, of: readonly string[]): Cells {
  yield ['material_titulo', 'local_sigla', 'quantidade'];
  for (let i = 0; i < count; i++) yield [of[(i * 13) % of.length]!, placeCode(i % all), 1 + (i % 20)];
}
