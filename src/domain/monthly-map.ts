import type { Config } from '../config.ts';
import type { Reader } from '../database/reader.ts';
import { AppError, conflict, invalid } from '../errors.ts';
import { WITHIN } from '../listing/where.ts';
import { mapTexts } from './messages.ts';
import { sizeErrors } from '../request/validation.ts';
import type { Amount, Consumption, Invoice, Month, Product, Warehouse } from '../siproquim/month.ts';
import { fileLines, fileName, type FileOptions } from '../siproquim/write.ts';
import { LINE_NAMES, LINE_ORDER, MAP_LINES } from './map-lines.ts';

/** A third-party warehouse in a line. */
interface LineWarehouse {
  cnpj: string | null;
  nome: string | null;
  endereco: string;
  numero: string;
  complemento: string | null;
  bairro: string;
  /** 8 digits. */
  cep: string;
  uf: string;
  codigoMunicipio: number;
}

/** A line of the map, with the names of its columns. Decimal numbers are texts, and days `YYYY-MM-DD`. */
export interface MapLine {
  registro: 'MVN' | 'UC';
  sentido: 'E' | 'S' | null;
  operacao: string | null;
  id_nota_fiscal: number | null;
  numero_nf: string | null;
  data: string | null;
  cnpj: string | null;
  empresa: string | null;
  armazenagem: Invoice['armazenagem'] | null;
  transporte: Invoice['transporte'] | null;
  cnpj_transportadora: string | null;
  transportadora: string | null;
  armazem: LineWarehouse | null;
  produto: string;
  codigo: string | null;
  mistura: boolean;
  substancias: { codigo: string; concentracao: number }[] | null;
  concentracao: number | null;
  densidade: string | null;
  quantidade: string | null;
  unidade: 'K' | 'L' | null;
  finalidade: number | null;
  observacao: string | null;
}

/** Controller of the map: level 1 reads it, level 3 closes it. */
export const MAP_CONTROLLER = 'almoxarifadoquimicos/mapa-mensal';

/** Identifies a map: a year, and a month from 1 to 12. */
export interface MapMonth {
  ano: number;
  mes: number;
}

/** @throws BAD_REQUEST for a month that is not from 1 to 12, or an invalid year */
export function requireMonth({ ano, mes }: MapMonth): void {
  const errors = [...sizeErrors('ano', ano, 9999), ...sizeErrors('mes', mes, 12)];
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
}

/** SQL that depends on months, with its filter on them, for the month of the parameters $1 and $2. */
export const ofMonth = (text: string, usual = WITHIN): string =>
  text.replace(usual, () => 't.ano = $1 and t.mes = $2');

const LINES = ofMonth(MAP_LINES);

/**
 * The lines of a month in the order of the file, and a value of type jsonb (`beside`: SQL, with the parameters $1 for the
 * year and $2 for the month) as it was at the same moment. A closed month has the lines of its closing, an open one those
 * of the ledger.
 */
export async function linesWith(
  reader: Reader,
  { ano, mes }: MapMonth,
  beside: string,
): Promise<{ lines: MapLine[]; beside: unknown }> {
  // It may be large, so only the first row has it.
  const text = `select case when row_number() over (order by ${LINE_ORDER}) = 1 then b.ao_lado end, ${LINE_NAMES.join(', ')}
from (select ${beside} as ao_lado) b left join (${LINES}) t on true order by ${LINE_ORDER}`;
  const rows = await reader.rows(text, [ano, mes]);
  const lines = rows.map(
    ([, ...row]) => Object.fromEntries(LINE_NAMES.map((name, i) => [name, row[i]])) as unknown as MapLine,
  );
  const [found] = rows.find(([first]) => first !== null) ?? [null];
  return { lines: lines.filter(({ registro }) => registro !== null), beside: found };
}

/** The columns that must not be null for a line to be written. */
const needed = (line: MapLine, { warehouses }: FileOptions): unknown[] => [
  line.codigo,
  line.densidade,
  line.quantidade,
  line.unidade,
  line.data,
  ...(line.mistura ? line.substancias! : [line]).map(({ concentracao }) => concentracao || null),
  ...(line.registro === 'MVN' ? [line.numero_nf, line.cnpj, line.empresa] : [line.finalidade]),
  ...(warehouses && isStored(line) ? [line.armazem?.cnpj ?? null, line.armazem?.nome ?? null] : []),
];

/** Whether a third party stored the goods of the line. */
const isStored = ({ armazenagem }: MapLine): boolean => armazenagem === 'S' || armazenagem === 'T';

/** The file of a month, in ASCII. */
export interface MapFile {
  nome: string;
  bytes: Buffer;
}

/** @throws CONFLICT while required data is missing, or a value does not fit the file */
export function writeFile({ ano, mes }: MapMonth, lines: readonly MapLine[], config: Config): MapFile {
  const { INSTITUTION_CNPJ: cnpj, INSTITUTION_ACTIVITIES } = config;
  if (!cnpj) throw conflict(mapTexts.mapNeedsCnpj);
  const options = optionsOf(config);
  if (lines.some(line => needed(line, options).includes(null)))
    throw conflict(mapTexts.mapIncomplete(ano, mes));
  const atividades = INSTITUTION_ACTIVITIES as Month['atividades'];
  const month: Month = { cnpj, ano, mes, atividades, ...contentOf(lines) };
  try {
    const text = [...fileLines(month, options)].join('');
    return { nome: fileName(month), bytes: Buffer.from(text, 'ascii') };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new AppError('CONFLICT', { detail: mapTexts.mapUnwritable(cause.message), cause });
  }
}

const optionsOf = (config: Config): FileOptions => ({
  version: '2025',
  lineEnd: config.SIPROQUIM_LINE_END === 'crlf' ? '\r\n' : '\n',
  nf: config.SIPROQUIM_NF,
  products: config.SIPROQUIM_PRODUCTS,
  warehouses: config.SIPROQUIM_WAREHOUSES,
});

/** Products, invoices and consumption, in the order of their lines. The lines must be complete. */
function contentOf(lines: readonly MapLine[]): Pick<Month, 'produtos' | 'notas' | 'consumos'> {
  const produtos = new Map<string, Product>();
  const notas = new Map<string, Invoice & { itens: Amount[] }>();
  const consumos: Consumption[] = [];
  for (const line of lines) {
    const key = [line.mistura, line.codigo, line.concentracao, line.densidade].join();
    const produto = produtos.get(key) ?? productOf(line);
    produtos.set(key, produto);
    const amount: Amount = { produto, milesimos: scaled(line.quantidade!, 1000), unidade: line.unidade! };
    if (line.registro === 'UC') {
      const { finalidade, observacao, data } = line;
      consumos.push({ ...amount, finalidade: finalidade!, observacao: observacao ?? '', data: data! });
      continue;
    }
    const note = notas.get(noteOf(line)) ?? invoiceOf(line);
    notas.set(noteOf(line), note);
    note.itens.push(amount);
  }
  return { produtos: [...produtos.values()], notas: notas.values(), consumos };
}

/** One invoice and one direction. */
export const noteOf = ({ sentido, id_nota_fiscal }: MapLine): string => `${sentido}${id_nota_fiscal}`;

/** Converts a decimal number to an integer number of parts. */
const scaled = (decimal: string, parts: number): number => Math.round(Number(decimal) * parts);

function productOf({ produto: nome, codigo, concentracao, densidade, substancias }: MapLine): Product {
  const densidadeInteira = scaled(densidade!, 100);
  if (!substancias)
    return { codigo: codigo!, nome, concentracao: concentracao!, densidade: densidadeInteira };
  return { ncm: codigo!, nome, densidade: densidadeInteira, substancias };
}

/** @throws CONFLICT for an operation or a storage that belongs to the other direction */
function invoiceOf(line: MapLine): Invoice & { itens: Amount[] } {
  const { cnpj_transportadora: cnpj, transportadora, armazem } = line;
  const stored = line.sentido === 'E' ? 'SN' : 'FT';
  if (line.operacao![0] !== line.sentido || !stored.includes(line.armazenagem!))
    throw conflict(mapTexts.mapOtherDirection(line.numero_nf!));
  return {
    sentido: line.sentido,
    operacao: line.operacao!,
    parceiro: { cnpj: line.cnpj!, razaoSocial: line.empresa! },
    numeroNf: line.numero_nf!,
    dataEmissao: line.data!,
    armazenagem: line.armazenagem!,
    transporte: line.transporte!,
    ...(cnpj !== null && { transportadora: { cnpj, razaoSocial: transportadora ?? '' } }),
    ...(armazem && { armazem: warehouseOf(armazem) }),
    itens: [],
  };
}

const warehouseOf = ({ cnpj, nome, complemento, codigoMunicipio, ...address }: LineWarehouse): Warehouse => ({
  ...address,
  cnpj: cnpj ?? '',
  razaoSocial: nome ?? '',
  complemento: complemento ?? '',
  municipio: codigoMunicipio,
});
