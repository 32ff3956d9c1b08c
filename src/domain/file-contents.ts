import type { Context } from '../request/context.ts';
import type { ArquivoDigital } from '../entities/arquivos/arquivo-digital.ts';
import { AppError } from '../errors.ts';
import { shownAs, type Selection } from '../listing/selection.ts';
import { fileTexts } from './messages.ts';
import type { Range } from '../storage/storage.ts';
import { damageOf, DamagedContent, rangeOf, verified } from '../storage/verified.ts';

/** Limit of the bytes that one request may verify, as a multiple of the largest file size. */
const CHECKED_FILES = 40;

/** The columns of a file record that concern its content. */
type File = Pick<ArquivoDigital, 'sha256' | 'tamanho' | 'conteudo' | 'existe'>;
/** The columns that identify a content. */
type ContentKey = Pick<ArquivoDigital, 'sha256' | 'tamanho'>;

/**
 * Adds the selected contents to file records, one file at a time. A damaged content is never returned.
 * @throws RESULT_TOO_LARGE, and UNAVAILABLE while other requests read too much, both before anything is read; INTERNAL
 * when a content is damaged
 */
export async function addContents(
  context: Context,
  files: readonly File[],
  selection: Selection,
): Promise<void> {
  const most = context.services.config.FILES_MAX_BYTES;
  const bytes = files.reduce((sum, file) => sum + file.tamanho, 0);
  if (selection['conteudo']) {
    const { times } = shownAs(selection, 'conteudo');
    // A single file is always returned: the size limit may have been larger when it was uploaded.
    if ((files.length > 1 || times > 1) && bytes * times > most)
      throw new AppError('RESULT_TOO_LARGE', { detail: fileTexts.contentsTooLarge(most) });
    await reserve(context, bytes);
    context.deadline.extend(bytes);
    for (const file of files) if (!context.closed.aborted) file.conteudo = await inBase64(context, file);
  }
  if (selection['existe']) {
    const checked = most * CHECKED_FILES;
    if (files.length > 1 && bytes > checked)
      throw new AppError('RESULT_TOO_LARGE', { detail: fileTexts.checksTooLarge(checked) });
    context.deadline.extend(bytes);
    for (const file of files) if (!context.closed.aborted) file.existe = await isThere(context, file);
  }
}

/**
 * Reserves memory for bytes until the answer is sent.
 * @throws RATE_LIMITED when the person has reserved too many, UNAVAILABLE when all requests together have
 */
async function reserve(context: Context, bytes: number): Promise<void> {
  const { contents, shares } = context.services;
  const { idPessoa } = await context.session();
  context.untilClosed(shares.contents.take(idPessoa, bytes));
  if (!contents.tryEnter(bytes))
    throw new AppError('UNAVAILABLE', { detail: fileTexts.tooManyContents, retryAfter: 2 });
  context.untilClosed(() => contents.leave(bytes));
}

async function isThere(context: Context, file: File): Promise<boolean> {
  return (await damageOf(context.services.storage, contentOf(file))) === undefined;
}

/**
 * The bytes of a file. The last chunk is returned only after all bytes were verified. @throws INTERNAL when they are
 * damaged
 */
export const bytesOf = (context: Context, file: ContentKey): AsyncGenerator<Buffer> =>
  reporting(context, verified(context.services.storage, contentOf(file)));

/** Whether a file is text in UTF-8. Reads all of its bytes. @throws INTERNAL when they are damaged */
export async function isUtf8(context: Context, file: ContentKey): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  context.deadline.extend(file.tamanho);
  for await (const chunk of bytesOf(context, file)) if (!decodes(decoder, chunk)) return false;
  return decodes(decoder);
}

/** Whether the next bytes, or without any the end, are valid after those before. */
function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** A range of the bytes of a file, not verified. @throws INTERNAL when the stored content has a different size */
export const partOf = (context: Context, file: ContentKey, range: Range): AsyncGenerator<Buffer> =>
  reporting(context, rangeOf(context.services.storage, contentOf(file), range));

async function* reporting(context: Context, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error;
    context.log.error({ err: error }, 'digital file damaged');
    throw new AppError('INTERNAL', { detail: fileTexts.contentDamaged, cause: error });
  }
}

async function inBase64(context: Context, file: File): Promise<string> {
  const bytes = Buffer.allocUnsafe(file.tamanho);
  let at = 0;
  for await (const chunk of bytesOf(context, file)) at += chunk.copy(bytes, at);
  return bytes.toString('base64');
}

const contentOf = ({ sha256, tamanho }: ContentKey) => ({ sha256, size: tamanho });
