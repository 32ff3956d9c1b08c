import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Reader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import { jobTexts } from './messages.ts';

/** Some refused rows of a file, as a file that can be corrected and imported again. */
interface RefusedRows {
  colunas: string[];
  linhas: { linha: number; celulas: string[]; problemas: string }[];
}

/** Most refused rows of an import that are kept. */
export const MOST_KEPT = 100_000;

const KEEP = 'insert into recusadas_importacao (id_importacao, numero, linhas) values ($1, $2, $3)';

/** Earlier versions kept all rows as one chunk in `andamento_importacao`. It is read if it has no more rows than now. */
const NEXT = `select c.numero, c.linhas from (
    select a.id_importacao, 0 as numero, a.recusadas as linhas
    from andamento_importacao a join importacao i on i.id = a.id_importacao
    where a.recusadas is not null and i.recusadas <= ${MOST_KEPT}
    union all select id_importacao, numero, linhas from recusadas_importacao
  ) c where c.id_importacao = $1 and c.numero > $2 order by c.numero limit 1`;

/** Compresses a chunk of refused rows. */
export const packed = (rows: RefusedRows): Promise<Buffer> => promisify(gzip)(JSON.stringify(rows));

/** Stores the chunks of an import, in the order of their rows. */
export async function keepRefused(reader: Reader, id: number, chunks: readonly Buffer[]): Promise<void> {
  // One at a time, because together they may be large.
  for (const [i, chunk] of chunks.entries()) await reader.rows(KEEP, [id, i + 1, chunk]);
}

/**
 * The refused rows of an import in the chunk after this one, with its number; without a number, in the first chunk.
 * @throws NOT_FOUND if there is none, or they were deleted
 */
export async function refusedRows(
  reader: Reader,
  id: number,
  after = -1,
): Promise<RefusedRows & { numero: number }> {
  const [row] = await reader.rows(NEXT, [id, after]);
  if (!row) throw new AppError('NOT_FOUND', { detail: jobTexts.noRefusedRows });
  const [numero, bytes] = row as [number, Buffer];
  const rows = JSON.parse((await promisify(gunzip)(bytes)).toString()) as RefusedRows;
  return { ...rows, numero };
}
