import { fieldText, type NfStyle } from './fields.ts';
import { layouts, type LayoutVersion, type RecordType } from './layouts.ts';
import { activities, type Amount, type Invoice, type Month, type Product } from './month.ts';

/** Options that no source settles. An institution has to choose them after a test with the validator of SIPROQUIM 2. */
export interface FileOptions {
  version: LayoutVersion;
  /** Line ending. */
  lineEnd: '\r\n' | '\n';
  nf: NfStyle;
  /** Whether to send the products again although SIPROQUIM 2 may know them. */
  products: boolean;
  /** Whether to send third-party warehouses. */
  warehouses: boolean;
}

const MONTHS = ['JAN', 'FEV', 'MAR', 'ABR', 'MAI', 'JUN', 'JUL', 'AGO', 'SET', 'OUT', 'NOV', 'DEZ'];

/** The name that the manual suggests: `M2026NOV11222333000181.txt`. */
export const fileName = ({ cnpj, ano, mes }: Pick<Month, 'cnpj' | 'ano' | 'mes'>): string =>
  `M${ano}${MONTHS[mes - 1]}${cnpj}.txt`;

type Values = Readonly<Record<string, unknown>>;

/**
 * The lines of the file of a month, with their line endings, in the order of the manual. All characters are ASCII.
 * @throws RangeError for a value that does not fit its field
 */
export function* fileLines(month: Month, options: FileOptions): Generator<string> {
  const line = (type: RecordType, values: Values = {}): string => lineOf(type, values, options);
  const { cnpj, ano, mes, atividades, produtos, notas, consumos } = month;
  const flags = Object.fromEntries(activities.map(name => [name, atividades.includes(name)]));
  yield line('EM', { cnpj, ano, mes: MONTHS[mes - 1], ...flags });
  if (options.products) {
    yield line('DG');
    for (const produto of produtos) if (!('ncm' in produto)) yield line('PR', { ...produto });
    for (const produto of produtos) {
      if (!('ncm' in produto)) continue;
      yield line('PC', { ...produto });
      for (const substancia of produto.substancias) yield line('SC', { ...substancia });
    }
  }
  for (const nota of notas) yield* invoiceLines(nota, options);
  for (const consumo of consumos) yield line('UC', { ...consumo, ...amountValues(consumo) });
}

function* invoiceLines(nota: Invoice, options: FileOptions): Generator<string> {
  const { parceiro, transportadora, armazem } = nota;
  yield lineOf('MVN', { ...nota, ...parceiro }, options);
  for (const item of nota.itens) yield lineOf('MM', amountValues(item), options);
  if (nota.transporte === 'T' && transportadora) yield lineOf('MT', { ...transportadora }, options);
  if (options.warehouses && armazem && (nota.armazenagem === 'S' || nota.armazenagem === 'T'))
    yield lineOf('MA', { ...armazem, cep: armazem.cep.replace(/^(\d\d)(\d{3})/, '$1.$2-') }, options);
}

/** The product and its amount in the records MM and UC. A mixture has no concentration there. */
const amountValues = ({ produto, milesimos, unidade }: Amount): Values => ({
  produto: productKey(produto),
  concentracao: 'ncm' in produto ? null : produto.concentracao,
  densidade: produto.densidade,
  quantidade: milesimos,
  unidade,
});

const productKey = (produto: Product): string =>
  'ncm' in produto ? `PC${produto.ncm}` : `PR${produto.codigo}`;

function lineOf(type: RecordType, values: Values, { version, lineEnd, nf }: FileOptions): string {
  const { tag, fields } = layouts[version][type];
  const text = fields.reduce((line, field) => line + fieldText(field, values[field.name], nf), tag);
  return text + lineEnd;
}
