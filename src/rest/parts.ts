import type { Response } from 'express';
import type { Context } from '../request/context.ts';
import { rightsKept } from '../request/rights-kept.ts';
import type { Page } from '../listing/page.ts';
import { paced } from '../reports/sheet.ts';

/** Pages of legacy records that follow the first part of a list. */
export type Parts = AsyncGenerator<readonly unknown[], void, void>;

/**
 * Sends a list whose records come in parts as one JSON page, no faster than the client reads. The members after the
 * records, such as `total`, count the records that were sent. HEAD reads only the first part. Each part waits for its
 * turn among the caller's requests, as long as the client stays connected and the caller keeps their rights.
 * @throws the error of a part; UNAUTHENTICATED or FORBIDDEN if the caller has lost their rights meanwhile. The connection
 * was then reset, so that no client mistakes a part for the whole list.
 */
export async function sendParts(
  res: Response,
  { data, ...others }: Page<unknown>,
  parts: Parts,
  context: Context,
): Promise<void> {
  res.status(200).setHeader('Content-Type', 'application/json; charset=utf-8');
  const check = rightsKept(context);
  const next = async () => {
    await check();
    return parts.next();
  };
  try {
    if (res.req.method === 'HEAD') {
      res.end();
      return;
    }
    let sent = data.length;
    const write = paced(res);
    await write(`{"data":[${inner(data)}`);
    while (!res.destroyed) {
      const { value: records, done } = await context.inTurn(next, context.closed);
      if (done) break;
      const separator = sent > 0 && records.length > 0 ? ',' : '';
      sent += records.length;
      await write(separator + inner(records));
    }
    if (!res.destroyed)
      res.end(`],${JSON.stringify({ ...others, total: sent, itemsPerPage: sent }).slice(1)}`);
  } catch (error) {
    // A reset, because HTTP/1.0 clients (many proxies) interpret a plain close as the regular end.
    res.socket?.resetAndDestroy();
    throw error;
  } finally {
    await parts.return();
  }
}

/** JSON of the records without the brackets. */
const inner = (records: readonly unknown[]): string => JSON.stringify(records).slice(1, -1);
