import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Language } from '../messages.ts';
import { readable } from '../text/readable.ts';
import type { Examination } from './examine.ts';
import { shortened, type Problem } from './problems.ts';
import type { End } from './progress.ts';

/** Refused rows of a file, as a file that can be corrected and imported again. */
export interface RefusedRows {
  colunas: string[];
  linhas: { linha: number; celulas: string[]; problemas: string }[];
}

/** Longest value in a report. */
const LONGEST = 200;

interface EndOptions {
  dryRun: boolean;
  acceptValid: boolean;
  language: Language;
}

/** The end of an import that was not aborted. */
export async function endOf(found: Examination, { dryRun, acceptValid, language }: EndOptions): Promise<End> {
  const { problems, refused, repeated, rows, headers } = found;
  const isRefused = problems.total > 0 && !acceptValid;
  const counts = isRefused && !dryRun ? undefined : found;
  const listed = problems.first.map(problem => inWords(problem, language));
  const byRow = new Map<number, string[]>();
  for (const { linha, coluna, problema, esperado } of listed)
    byRow.set(linha, [...(byRow.get(linha) ?? []), `${coluna}: ${problema} (${esperado})`]);
  const linhas = refused.map(({ number, cells }) => ({
    linha: number,
    celulas: [...cells],
    problemas: (byRow.get(number) ?? []).join(' | '),
  }));
  return {
    situacao: isRefused ? 'recusada' : 'concluida',
    linhas: rows,
    criadas: counts?.created,
    alteradas: counts?.changed,
    iguais: counts?.same,
    repetidas: repeated.total,
    recusadas: refused.length,
    totalProblemas: problems.total,
    gravadas: dryRun || isRefused ? 0 : rows - refused.length - repeated.total,
    relatorio: {
      problemas: listed,
      repeticoes: repeated.first.map(({ row, first }) => ({ linha: row, primeira: first })),
    },
    linhasRecusadas: linhas.length > 0 ? await packed({ colunas: [...headers], linhas }) : undefined,
  };
}

const inWords = ({ row, field, found, wrong, expected }: Problem, language: Language) => ({
  linha: row,
  coluna: language === 'pt' ? field.replace(/^column /, 'coluna ') : field,
  valor: readable(shortened(found, LONGEST)),
  problema: wrong[language],
  esperado: expected[language],
});

const packed = (rows: RefusedRows): Promise<Buffer> => promisify(gzip)(JSON.stringify(rows));

export const unpacked = async (bytes: Buffer): Promise<RefusedRows> =>
  JSON.parse((await promisify(gunzip)(bytes)).toString()) as RefusedRows;
