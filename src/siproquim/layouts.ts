/**
 * The records of the file that SIPROQUIM 2 imports, as data: a new manual is a new table here. Positions count from 1.
 *
 * Kinds of fields:
 * - `text`: ASCII in capitals, on the left, blanks on the right
 * - `digits`: a whole number with zeros on the left, or blanks if the record has none
 * - `nf`: the number of an invoice; whether it is text or digits is a setting
 * - `density`: `00,01` to `99,99`
 * - `amount`: `999.999.999,999`, blanks on the left
 * - `date`: `dd/mm/aaaa`
 * - `flag`: 1 or 0
 */
type FieldKind = 'text' | 'digits' | 'nf' | 'density' | 'amount' | 'date' | 'flag';

export interface LayoutField {
  name: string;
  start: number;
  length: number;
  kind: FieldKind;
}

export interface RecordLayout {
  /** The text with which each line begins. */
  tag: string;
  fields: readonly LayoutField[];
}

export const recordTypes = ['EM', 'DG', 'PR', 'PC', 'SC', 'MVN', 'MM', 'MT', 'MA', 'UC'] as const;
export type RecordType = (typeof recordTypes)[number];
type Layout = Readonly<Record<RecordType, RecordLayout>>;

type Row = readonly [name: string, start: number, length: number, kind: FieldKind];

const record = (tag: string, ...rows: readonly Row[]): RecordLayout => ({
  tag,
  fields: rows.map(([name, start, length, kind]) => ({ name, start, length, kind })),
});

/** The fields for a product and its amount in the records MM and UC. */
const AMOUNT = [
  ['produto', 3, 13, 'text'],
  ['concentracao', 16, 3, 'digits'],
  ['densidade', 19, 5, 'density'],
  ['quantidade', 24, 15, 'amount'],
  ['unidade', 39, 1, 'text'],
] as const satisfies readonly Row[];

/**
 * By version of the manual. `2025` has the records of the manual of 07/10/2021, on which two sources agree, in the
 * letters that the manual of 03/01/2025 requires. Only for the record EM it is known that the new manual did not change
 * it. For MA this is unlikely, because similar records changed: send it only after a test.
 */
export const layouts = {
  '2025': {
    EM: record(
      'EM',
      ['cnpj', 3, 14, 'text'],
      ['mes', 17, 3, 'text'],
      ['ano', 20, 4, 'digits'],
      ['comercializacaoNacional', 24, 1, 'flag'],
      ['comercializacaoInternacional', 25, 1, 'flag'],
      ['producao', 26, 1, 'flag'],
      ['transformacao', 27, 1, 'flag'],
      ['consumo', 28, 1, 'flag'],
      ['fabricacao', 29, 1, 'flag'],
      ['transporte', 30, 1, 'flag'],
      ['armazenamento', 31, 1, 'flag'],
    ),
    DG: record('DG'),
    PR: record(
      'PR',
      ['codigo', 3, 11, 'text'],
      ['nome', 14, 70, 'text'],
      ['concentracao', 84, 3, 'digits'],
      ['densidade', 87, 5, 'density'],
    ),
    PC: record('PC', ['ncm', 3, 10, 'text'], ['nome', 13, 70, 'text'], ['densidade', 83, 5, 'density']),
    SC: record('SC', ['codigo', 3, 11, 'text'], ['concentracao', 14, 2, 'digits']),
    MVN: record(
      'MVN',
      ['sentido', 4, 1, 'text'],
      ['operacao', 5, 2, 'text'],
      ['cnpj', 7, 14, 'text'],
      ['razaoSocial', 21, 69, 'text'],
      ['numeroNf', 90, 10, 'nf'],
      ['dataEmissao', 100, 10, 'date'],
      ['armazenagem', 110, 1, 'text'],
      ['transporte', 111, 1, 'text'],
    ),
    MM: record('MM', ...AMOUNT),
    MT: record('MT', ['cnpj', 3, 14, 'text'], ['razaoSocial', 17, 70, 'text']),
    MA: record(
      'MA',
      ['cnpj', 3, 14, 'text'],
      ['razaoSocial', 17, 70, 'text'],
      ['endereco', 87, 70, 'text'],
      ['cep', 157, 10, 'text'],
      ['numero', 167, 5, 'text'],
      ['complemento', 172, 20, 'text'],
      ['bairro', 192, 30, 'text'],
      ['uf', 222, 2, 'text'],
      ['municipio', 224, 7, 'digits'],
    ),
    UC: record(
      'UC',
      ...AMOUNT,
      ['finalidade', 40, 1, 'digits'],
      ['observacao', 41, 62, 'text'],
      ['data', 103, 10, 'date'],
    ),
  },
} as const satisfies Record<string, Layout>;

export type LayoutVersion = keyof typeof layouts;
