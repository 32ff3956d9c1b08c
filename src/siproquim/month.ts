/** The report of an institution for one month, independent of any layout. */
export interface Month {
  /** 14 letters and digits. */
  cnpj: string;
  ano: number;
  /** 1 to 12. */
  mes: number;
  atividades: readonly Activity[];
  produtos: readonly Product[];
  notas: Iterable<Invoice>;
  consumos: Iterable<Consumption>;
}

/** The activities of an institution, in the order of its first record. */
export const activities = [
  'comercializacaoNacional',
  'comercializacaoInternacional',
  'producao',
  'transformacao',
  'consumo',
  'fabricacao',
  'transporte',
  'armazenamento',
] as const;
type Activity = (typeof activities)[number];

/** A controlled product, identified by code, concentration and density. */
interface SimpleProduct {
  /** `TPN` and 8 digits. */
  codigo: string;
  nome: string;
  /** Whole per cent, 1 to 100. */
  concentracao: number;
  /** In hundredths of kg/L. */
  densidade: number;
}

/** A mixture that contains controlled products, identified by NCM and density. */
interface Mixture {
  /** `9999.99.99`. */
  ncm: string;
  nome: string;
  /** In hundredths of kg/L. */
  densidade: number;
  /** Each with its code and its whole per cent, from 1 to 99. */
  substancias: readonly Pick<SimpleProduct, 'codigo' | 'concentracao'>[];
}

export type Product = SimpleProduct | Mixture;

export interface Amount {
  produto: Product;
  /** In thousandths of the unit: grams or millilitres. */
  milesimos: number;
  unidade: 'K' | 'L';
}

interface Company {
  cnpj: string;
  razaoSocial: string;
}

export interface Warehouse extends Company {
  endereco: string;
  /** 8 digits. */
  cep: string;
  numero: string;
  complemento: string;
  bairro: string;
  uf: string;
  /** Code of IBGE, 7 digits. */
  municipio: number;
}

/** One invoice and one operation. */
export interface Invoice {
  sentido: 'E' | 'S';
  /** Two letters; the first is that of `sentido`. */
  operacao: string;
  parceiro: Company;
  numeroNf: string;
  /** `YYYY-MM-DD`. */
  dataEmissao: string;
  armazenagem: 'S' | 'N' | 'F' | 'T';
  /** Who carries: the buyer, the supplier or another. */
  transporte: 'A' | 'F' | 'T';
  transportadora?: Company;
  armazem?: Warehouse;
  itens: readonly Amount[];
}

export interface Consumption extends Amount {
  /** 1 cleaning, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents. */
  finalidade: number;
  observacao: string;
  /** `YYYY-MM-DD`. */
  data: string;
}
