import type { Language } from '../messages.ts';
import { readable } from '../text/readable.ts';
import type { Examination } from './examine.ts';
import { shortened, type Problem, type Unimportable } from './problems.ts';
import { LISTED, type End } from './progress.ts';
import { packed } from './refused.ts';
import type { Row } from './row.ts';

/** Longest value in a report. */
const LONGEST = 200;

interface EndOptions {
  dryRun: boolean;
  acceptValid: boolean;
  language: Language;
}

/** The end of an import that was not aborted. `chunksOf` made `linhasRecusadas` of its refused rows. */
export function endOf(
  found: Examination,
  linhasRecusadas: readonly Buffer[],
  { dryRun, acceptValid, language }: EndOptions,
): End {
  const { problems, refused, repeated, rows } = found;
  const isRefused = problems.total > 0 && !acceptValid;
  const counts = isRefused && !dryRun ? undefined : found;
  return {
    situacao: isRefused ? 'recusada' : 'concluida',
    linhas: rows,
    criadas: counts?.created,
    alteradas: counts?.changed,
    iguais: counts?.same,
    repetidas: repeated.total,
    recusadas: refused,
    totalProblemas: problems.total,
    gravadas: dryRun || isRefused ? 0 : rows - refused - repeated.total,
    relatorio: {
      problemas: problems.first.map(problem => inWords(problem, language)),
      repeticoes: repeated.first.map(({ row, first }) => ({ linha: row, primeira: first })),
    },
    linhasRecusadas,
  };
}

/** The end of an import whose file was refused as a whole. */
export const refusalOf = ({ text, problems }: Unimportable, language: Language): End => ({
  situacao: 'recusada',
  detalhe: text[language],
  ...(problems.length > 0 && {
    totalProblemas: problems.length,
    relatorio: {
      problemas: problems.slice(0, LISTED).map(problem => inWords(problem, language)),
      repeticoes: [],
    },
  }),
});

/** Compresses each batch of refused rows, with those of their problems that are listed. */
export async function chunksOf(
  batches: AsyncIterable<readonly Row[]>,
  { headers, problems }: Pick<Examination, 'headers' | 'problems'>,
  language: Language,
): Promise<Buffer[]> {
  const byRow = new Map<number, string[]>();
  for (const { linha, coluna, problema, esperado } of problems.first.map(one => inWords(one, language)))
    byRow.set(linha, [...(byRow.get(linha) ?? []), `${coluna}: ${problema} (${esperado})`]);
  const chunks: Buffer[] = [];
  for await (const rows of batches) {
    const linhas = rows.map(({ number, cells }) => ({
      linha: number,
      celulas: [...cells],
      problemas: (byRow.get(number) ?? []).join(' | '),
    }));
    chunks.push(await packed({ colunas: [...headers], linhas }));
  }
  return chunks;
}

const inWords = ({ row, field, found, wrong, expected }: Problem, language: Language) => ({
  linha: row,
  coluna: language === 'pt' ? field.replace(/^column /, 'coluna ') : field,
  valor: readable(shortened(found, LONGEST)),
  problema: wrong[language],
  esperado: expected[language],
});
