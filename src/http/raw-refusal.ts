import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors.ts';
import type { Context } from '../request/context.ts';
import { problemOf } from '../rest/problem.ts';
import { ignored } from '../runtime/background.ts';
import { dataHeaders } from './headers.ts';

/** What the answer has besides the problem of the error. */
interface Extra {
  /** In the place of the status of the error's code. */
  status?: number | undefined;
  headers?: Record<string, string>;
}

/** A problem document as raw HTTP, for a connection without a response object. The connection is closed after it. */
export function rawRefusal(error: AppError, context: Context, extra: Extra = {}): string {
  const { problem, headers } = problemOf(error, context);
  const { status = problem.status } = extra;
  context.log.info({ code: error.code, status, detail: error.message }, 'refused before it was read');
  const body = JSON.stringify({ ...problem, status });
  const all = {
    ...Object.fromEntries(dataHeaders),
    ...headers,
    ...extra.headers,
    'x-request-id': context.requestId,
    date: new Date().toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Refuses on a connection that Node no longer watches, and closes it, whether the client does so or not. */
export function refuse(stream: Duplex, error: AppError, context: Context, extra?: Extra): void {
  stream.on('error', ignored);
  stream.end(rawRefusal(error, context, extra), () => stream.destroy());
}
