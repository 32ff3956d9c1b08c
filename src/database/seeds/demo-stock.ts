import { addDays, calendarDays, workingDaysBefore, type Dice } from './demo-chance.ts';
import { demoControlTypes, demoMaterials, type DemoMaterial } from './demo-chemicals.ts';
import { demoCompanies, demoPlaces } from './demo-places.ts';

interface DemoInvoice {
  numeroNf: string;
  /** `nome` of two of `demoCompanies`. */
  fornecedor: string;
  transportadora: string;
  dataEmissao: string;
  dataRecebimento: string | null;
  processoSei: string | null;
  linkNf: string | null;
}

export interface DemoBatch {
  /** `titulo` of one of `demoMaterials`. */
  material: string;
  /** `nome` of one of `demoCompanies`. */
  fabricante: string;
  codLote: string | null;
  dataVenc: string | null;
  quantidade: number;
  motivo: string | null;
  /** `sigla` of one of the locations of `demoPlaces`. */
  local: string;
  /** Working days since it arrived, and days until it expires. */
  age: number;
  expiresIn: number | null;
  /** The smallest quantity that is ever taken of it. */
  portion: number;
  /** Whether its movements need approval. */
  controlled: boolean;
}

/** What came in one day, with its invoice where it has one. */
export interface DemoArrival {
  invoice: DemoInvoice | null;
  batches: DemoBatch[];
}

/** `sigla` of the location where things arrive, and of those that use them. */
export const demoStoreroom = 'ALMOX';
export const demoLaboratories = demoPlaces
  .flatMap(place => place.locais.map(local => local.sigla))
  .filter(sigla => sigla !== demoStoreroom);

/** How each unit is handled: what is taken at least, and how many times that a batch holds. */
const packs: Readonly<Record<string, { portion: number; from: number; to: number }>> = {
  mg: { portion: 50, from: 20, to: 100 },
  g: { portion: 25, from: 10, to: 80 },
  kg: { portion: 1, from: 5, to: 25 },
  µL: { portion: 100, from: 10, to: 100 },
  mL: { portion: 50, from: 10, to: 80 },
  L: { portion: 1, from: 8, to: 40 },
  'm³': { portion: 1, from: 10, to: 40 },
  frasco: { portion: 1, from: 6, to: 24 },
  ampola: { portion: 1, from: 20, to: 100 },
  bisnaga: { portion: 1, from: 6, to: 40 },
  cilindro: { portion: 1, from: 3, to: 8 },
};

const donations = [
  'Doação do Instituto de Química',
  'Doação de empresa júnior ao fim do projeto',
  'Saldo do inventário anual',
  'Transferido de laboratório desativado',
];

/** How each manufacturer writes the code of a batch that it filled in this month (`YYYY-MM`). */
const batchCodes: Readonly<Record<string, (month: string, serial: number) => string>> = {
  'Ácidos & Bases Indústria Química': (month, serial) => `AB${month.slice(2, 4)}${month.slice(5)}-${serial}`,
  'Solventes do Sul': (month, serial) => `SS ${serial}/${month.slice(2, 4)}`,
  'Nordquímica AG': (_month, serial) => `K${serial * 7919}`,
};

const companies = (tipo: (typeof demoCompanies)[number]['tipo']): string[] =>
  demoCompanies.filter(company => company.tipo === tipo).map(company => company.nome);
const [manufacturers, suppliers, carriers] = [
  companies('Fabricante'),
  companies('Fornecedor'),
  companies('Transportadora'),
];
const controlTypes = new Set<string | null>(
  demoControlTypes.filter(control => control.exigeAprovacao).map(control => control.descricao),
);

const ARRIVALS = 30;
const BATCHES_EACH = 5;

/**
 * A year of arrivals in their order, the first nearly a year ago: one in four is a donation, and three
 * invoices at the end still wait for their goods. Every material comes at least twice.
 */
export function demoArrivals(today: string, dice: Dice): DemoArrival[] {
  const days = workingDaysBefore(today);
  const arrivals = Array.from({ length: ARRIVALS }, (_, i): DemoArrival => {
    const age = Math.round(246 - 8.4 * i);
    const isDonation = i % 4 === 1;
    const batches = Array.from({ length: BATCHES_EACH }, (_unused, j) => {
      // 37 has no divisor in common with 60: a step through the materials that meets each of them.
      const material = demoMaterials[((i * BATCHES_EACH + j) * 37) % demoMaterials.length]!;
      return batchOf(material, { today, arrived: days[age]!, age, isDonation }, dice);
    });
    return { invoice: isDonation ? null : invoiceOf(days[age]!, days[age]!, dice), batches };
  });
  const expected = [9, 6, 3].map(age => ({ invoice: invoiceOf(days[age]!, null, dice), batches: [] }));
  arrivals[0]!.invoice!.linkNf = `https://notas.universidade.example/${arrivals[0]!.invoice!.numeroNf}.pdf`;
  return [...arrivals, ...expected];
}

function invoiceOf(day: string, dataRecebimento: string | null, dice: Dice): DemoInvoice {
  const dataEmissao = dataRecebimento === null ? day : addDays(day, -dice.between(4, 25));
  const process = `23080.0${dice.between(10_000, 99_999)}/${dataEmissao.slice(0, 4)}-${dice.between(10, 99)}`;
  return {
    numeroNf: String(dice.between(10_000, 299_999)),
    fornecedor: dice.pick(suppliers),
    transportadora: dice.pick(carriers),
    dataEmissao,
    dataRecebimento,
    processoSei: dice.chance(0.2) ? null : process,
    linkNf: null,
  };
}

interface Circumstances {
  today: string;
  arrived: string;
  age: number;
  isDonation: boolean;
}

function batchOf(
  { titulo, unidade, estadoFisico, controle }: DemoMaterial,
  { today, arrived, age, isDonation }: Circumstances,
  dice: Dice,
): DemoBatch {
  const { portion, from, to } = packs[unidade]!;
  const fabricante = dice.pick(manufacturers);
  const month = addDays(arrived, -60).slice(0, 7);
  const code = batchCodes[fabricante]!(month, dice.between(1001, 9999));
  const expiresIn = estadoFisico === 'G' ? null : expiry(calendarDays(age), dice);
  return {
    material: titulo,
    fabricante,
    codLote: dice.chance(0.05) ? null : code,
    dataVenc: expiresIn === null ? null : addDays(today, expiresIn),
    quantidade: portion * dice.between(from, to),
    motivo: isDonation ? dice.pick(donations) : null,
    local: isDonation ? dice.pick(demoLaboratories) : demoStoreroom,
    age,
    expiresIn,
    portion,
    controlled: controlTypes.has(controle),
  };
}

/** Days until a batch expires that came so many days ago, never before it came: one in eight has, most will in years. */
function expiry(daysAgo: number, dice: Dice): number {
  if (dice.chance(0.125)) return -dice.between(1, Math.max(1, Math.floor(daysAgo / 2)));
  if (dice.chance(0.1)) return dice.between(1, 30);
  if (dice.chance(0.15)) return dice.between(31, 90);
  return dice.between(120, 1400);
}
