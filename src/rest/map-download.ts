import type { Response } from 'express';
import { closedFile, linesAndHead } from '../domain/map-closing.ts';
import { requireMonth, writeFile, type MapFile, type MapMonth } from '../domain/monthly-map.ts';
import { attachment } from '../reports/attachment.ts';
import { entityTag, isAnsweredByTag } from './conditions.ts';

/**
 * Sends the file of a month for SIPROQUIM 2: the stored file if the month is closed, otherwise one computed from the
 * ledger.
 * @throws CONFLICT while it cannot be written
 */
export function sendMapFile(res: Response, { ano, mes }: Record<string, unknown>): Promise<void> {
  const month = { ano, mes } as MapMonth;
  const { reader, services } = res.locals.context;
  return send(res, async () => {
    requireMonth(month);
    const { lines, head } = await linesAndHead(reader, month);
    return head ? closedFile(reader, head.id) : writeFile(month, lines, services.config);
  });
}

/** Sends the stored file of a closing, whatever has changed since. @throws NOT_FOUND */
export function sendClosedFile(res: Response, { id }: Record<string, unknown>): Promise<void> {
  const { reader } = res.locals.context;
  return send(res, () => closedFile(reader, id as number));
}

async function send(res: Response, read: () => Promise<MapFile>): Promise<void> {
  const { context } = res.locals;
  const { idPessoa } = await context.session();
  const { nome, bytes } = await context.services.shares.exports.during(idPessoa, () => context.inTime(read));
  const tag = entityTag(bytes);
  res.setHeader('ETag', tag);
  if (isAnsweredByTag(res, tag)) return;
  res.writeHead(200, {
    'Content-Type': 'text/plain; charset=us-ascii',
    'Content-Length': String(bytes.length),
    'Content-Disposition': attachment(nome),
  });
  res.end(bytes);
}
