import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { bytesOf } from '../domain/file-contents.ts';
import { ArquivoDigital } from '../entities/arquivos/arquivo-digital.ts';
import { notFound } from '../errors.ts';
import { readOne } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { attachment } from '../reports/attachment.ts';

const NEEDED: Selection = { nome: {}, tamanho: {}, sha256: {} };

/**
 * Sends a file's bytes as an attachment with its name. A damaged content breaks off before it is complete. HEAD reads
 * no content.
 */
export async function sendFile(res: Response, { id }: Record<string, unknown>): Promise<void> {
  const { context } = res.locals;
  const file = await readOne(context.services.listing, ArquivoDigital, { id }, NEEDED);
  if (!file) throw notFound();
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(file.tamanho),
    'Content-Disposition': attachment(file.nome),
    'X-Content-Type-Options': 'nosniff',
  };
  if (res.req.method === 'HEAD') {
    res.writeHead(200, headers).end();
    return;
  }
  const { idPessoa } = await context.session();
  context.untilClosed(context.services.shares.transfers.take(idPessoa));
  const bytes = bytesOf(context, file);
  // A missing content, or one of the wrong size, is reported before anything is sent.
  const first = await bytes.next();
  res.writeHead(200, headers);
  if (!first.done) res.write(first.value);
  await pipeline(bytes, res).catch(error => {
    res.socket?.resetAndDestroy();
    throw error;
  });
}
