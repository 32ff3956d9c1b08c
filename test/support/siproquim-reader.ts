/*
 * Reads the file of SIPROQUIM 2 by the positions of its manual. It shares no code with the service, so that it detects
 * wrong positions there.
 */

export interface ReadAmount {
  produto: string;
  concentracao: string;
  densidade: string;
  milesimos: number;
  unidade: string;
}

interface ReadInvoice {
  operacao: string;
  cnpj: string;
  razaoSocial: string;
  numeroNf: string;
  dataEmissao: string;
  armazenagem: string;
  transporte: string;
  itens: ReadAmount[];
  transportadora?: { cnpj: string; razaoSocial: string };
  armazem?: Record<string, string>;
}

export interface ReadFile {
  cnpj: string;
  mes: string;
  ano: string;
  atividades: string;
  geral: boolean;
  produtos: { codigo: string; nome: string; concentracao: string; densidade: string }[];
  compostos: {
    ncm: string;
    nome: string;
    densidade: string;
    substancias: { codigo: string; concentracao: string }[];
  }[];
  notas: ReadInvoice[];
  consumos: (ReadAmount & { finalidade: string; observacao: string; data: string })[];
}

const LENGTHS: Record<string, number> = {
  EM: 31,
  DG: 2,
  PR: 91,
  PC: 87,
  SC: 15,
  MVN: 111,
  MM: 39,
  MT: 86,
  MA: 230,
  UC: 112,
};

/** The records that may follow each record. */
const NEXT: Record<string, string[]> = {
  EM: ['DG', 'MVN', 'UC'],
  DG: ['PR', 'PC', 'MVN', 'UC'],
  PR: ['PR', 'PC', 'MVN', 'UC'],
  PC: ['SC'],
  SC: ['SC', 'PC', 'MVN', 'UC'],
  MVN: ['MM'],
  MM: ['MM', 'MT', 'MA', 'MVN', 'UC'],
  MT: ['MA', 'MVN', 'UC'],
  MA: ['MVN', 'UC'],
  UC: ['UC'],
};

const AMOUNT = /^ *(\d{1,3}(?:\.\d{3})*),(\d{3})$/;

/** @throws Error for a line with a wrong length, position or character */
export function readSiproquim(file: string, lineEnd = '\r\n'): ReadFile {
  if (!/^[ -~\r\n]*$/.test(file)) throw new Error('a letter is not ASCII');
  if (/[a-z]/.test(file)) throw new Error('a letter is small');
  const lines = file.split(lineEnd);
  if (lines.pop() !== '') throw new Error('the last line does not end');
  const read: ReadFile = {
    cnpj: '',
    mes: '',
    ano: '',
    atividades: '',
    geral: false,
    produtos: [],
    compostos: [],
    notas: [],
    consumos: [],
  };
  let before: string | undefined;
  for (const line of lines) {
    const tag = line.startsWith('MVN') ? 'MVN' : line.slice(0, 2);
    if (line.length !== LENGTHS[tag]) throw new Error(`${line.length} letters: ${line}`);
    if (before === undefined ? tag !== 'EM' : !NEXT[before]!.includes(tag))
      throw new Error(`${tag} after ${before}`);
    before = tag;
    const at = (start: number, length: number): string => line.slice(start - 1, start - 1 + length);
    const words = (start: number, length: number): string => at(start, length).trimEnd();
    const amount = (): ReadAmount => {
      const [, whole, rest] = AMOUNT.exec(at(24, 15)) ?? [];
      if (!whole) throw new Error(`no amount: ${line}`);
      return {
        produto: words(3, 13),
        concentracao: at(16, 3),
        densidade: at(19, 5),
        milesimos: Number(whole.replaceAll('.', '') + rest!),
        unidade: at(39, 1),
      };
    };
    if (tag === 'EM')
      Object.assign(read, { cnpj: at(3, 14), mes: at(17, 3), ano: at(20, 4), atividades: at(24, 8) });
    if (tag === 'DG') read.geral = true;
    if (tag === 'PR')
      read.produtos.push({
        codigo: at(3, 11),
        nome: words(14, 70),
        concentracao: at(84, 3),
        densidade: at(87, 5),
      });
    if (tag === 'PC')
      read.compostos.push({ ncm: at(3, 10), nome: words(13, 70), densidade: at(83, 5), substancias: [] });
    if (tag === 'SC') read.compostos.at(-1)!.substancias.push({ codigo: at(3, 11), concentracao: at(14, 2) });
    if (tag === 'MVN') {
      if (at(4, 1) !== at(5, 1)) throw new Error(`an operation of the other side: ${line}`);
      read.notas.push({
        operacao: at(5, 2),
        cnpj: at(7, 14),
        razaoSocial: words(21, 69),
        numeroNf: words(90, 10),
        dataEmissao: at(100, 10),
        armazenagem: at(110, 1),
        transporte: at(111, 1),
        itens: [],
      });
    }
    const nota = read.notas.at(-1);
    if (tag === 'MM') nota!.itens.push(amount());
    if (tag === 'MT') nota!.transportadora = { cnpj: at(3, 14), razaoSocial: words(17, 70) };
    if (tag === 'MA')
      nota!.armazem = {
        cnpj: at(3, 14),
        razaoSocial: words(17, 70),
        endereco: words(87, 70),
        cep: at(157, 10),
        numero: words(167, 5),
        complemento: words(172, 20),
        bairro: words(192, 30),
        uf: at(222, 2),
        municipio: at(224, 7),
      };
    if (tag === 'UC')
      read.consumos.push({
        ...amount(),
        finalidade: at(40, 1),
        observacao: words(41, 62),
        data: at(103, 10),
      });
  }
  return read;
}
