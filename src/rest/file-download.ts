import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { bytesOf, isUtf8, partOf } from '../domain/file-contents.ts';
import { ArquivoDigital } from '../entities/arquivos/arquivo-digital.ts';
import { AppError, notFound } from '../errors.ts';
import { readOne } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { restTexts } from './messages.ts';
import { attachment } from '../reports/attachment.ts';
import type { Range } from '../storage/storage.ts';
import { isAnsweredByTag } from './conditions.ts';

const NEEDED: Selection = { nome: {}, tipoMime: {}, tamanho: {}, sha256: {} };

/** Types that a browser shows without executing anything in them. Names of types have no case (RFC 9110, 8.3.1). */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|application\/pdf)$/i;
const isText = (type: string): boolean => /^text\/plain$/i.test(type);
const isPdf = (type: string): boolean => /^application\/pdf$/i.test(type);

/** A file cannot run scripts, load anything or be framed. Viewers of PDFs do not work in a sandbox. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const PDF_POLICY = "frame-ancestors 'none'";

/**
 * Sends a file's bytes, or the requested range, with its name, type and digest. It is an attachment, unless the client
 * asks for `inline` and browsers can show the type safely. If a content is damaged, the connection is reset before its
 * end. HEAD reads no content, except of a shown text: only all of its bytes tell whether it is UTF-8.
 * @throws RANGE_NOT_SATISFIABLE
 */
export async function sendFile(res: Response, { id, inline }: Record<string, unknown>): Promise<void> {
  const { context } = res.locals;
  const file = await readOne(context.listing, ArquivoDigital, { id }, NEEDED);
  if (!file) throw notFound();
  const { tipoMime, tamanho, sha256 } = file;
  const tag = `"${sha256}"`;
  const isShown = inline === true && SHOWN.test(tipoMime);
  // A proxy that compresses the file would change its bytes.
  res.set('Cache-Control', 'no-store, no-transform');
  if (isAnsweredByTag(res, tag)) return;
  const range = rangeOf(res.req, tag, tamanho);
  const { start, end } = range ?? { start: 0, end: tamanho - 1 };
  // Set only when the file is sent: an error is another representation.
  const headers = {
    ETag: tag,
    'Accept-Ranges': 'bytes',
    'Repr-Digest': digestOf(sha256),
    'Content-Length': String(end - start + 1),
    'Content-Disposition': attachment(file.nome, isShown ? 'inline' : 'attachment'),
    'Content-Security-Policy': isShown && isPdf(tipoMime) ? PDF_POLICY : POLICY,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${tamanho}` }),
  };
  const send = (type: string): Response =>
    res
      .status(range ? 206 : 200)
      .set(headers)
      .setHeader('Content-Type', type);
  const isHead = res.req.method === 'HEAD';
  const isShownText = isShown && isText(tipoMime);
  if (isHead && !isShownText) {
    send(tipoMime).end();
    return;
  }
  const { idPessoa } = await context.session();
  context.untilClosed(context.services.shares.transfers.take(idPessoa));
  // Browsers read a text without a charset in one of their own choice.
  const type = isShownText && (await isUtf8(context, file)) ? `${tipoMime}; charset=utf-8` : tipoMime;
  if (isHead) {
    send(type).end();
    return;
  }
  const bytes = range ? partOf(context, file, range) : bytesOf(context, file);
  // A missing content, or one of the wrong size, is reported before anything is sent.
  const first = await bytes.next();
  send(type);
  if (!first.done) res.write(first.value);
  await pipeline(bytes, res).catch(error => {
    res.socket?.resetAndDestroy();
    throw error;
  });
}

/** `Repr-Digest` of RFC 9530. With it, a client that combines ranges can verify the whole file. */
const digestOf = (sha256: string): string => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;

/** The length in `bytes=-500`, which asks for the last 500 bytes. */
const SUFFIX = /(?<=[=,]\s*-)\d+/g;

/**
 * The range to send; undefined for all bytes: if no range is requested, if several are, or if the client has a part of
 * a different version (`If-Range`).
 * @throws RANGE_NOT_SATISFIABLE
 */
function rangeOf(req: Request, tag: string, size: number): Range | undefined {
  const { 'if-range': condition, range } = req.headers;
  if (req.method !== 'GET' || range === undefined || (condition ?? tag) !== tag) return undefined;
  // A suffix longer than the file is the whole file (RFC 9110, 14.1.2). The parser would take it for one outside.
  req.headers.range = range.replaceAll(SUFFIX, length => String(Math.min(Number(length), size)));
  const ranges = req.range(size, { combine: true });
  if (ranges === -1) {
    req.res!.setHeader('Content-Range', `bytes */${size}`);
    throw new AppError('RANGE_NOT_SATISFIABLE', { detail: restTexts.rangeOutside(size) });
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
