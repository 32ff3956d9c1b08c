import { maxHeaderSize, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Context } from '../request/context.ts';
import { AppError, catalogue } from '../errors.ts';
import { messages, type Text } from '../messages.ts';
import { ignored } from '../runtime/background.ts';
import { dataHeaders } from './headers.ts';
import { problemOf } from '../rest/problem.ts';
import { type Services } from '../request/services.ts';

/**
 * Reasons by error code of Node's HTTP server; `CONNECT` is ours. 408 tells a slow client that it may send the request
 * again.
 */
const reasons: Readonly<Record<string, { detail: Text; status?: number }>> = {
  HPE_HEADER_OVERFLOW: { detail: messages.headersTooLarge(maxHeaderSize) },
  CONNECT: { detail: messages.noProxy },
  ERR_HTTP_REQUEST_TIMEOUT: { detail: messages.requestTooSlow, status: 408 },
};

/**
 * Answers input that Node cannot parse as a request (not HTTP, headers too large, too slow), and CONNECT, with a problem
 * document, like every other error. Node would send an empty answer, or none.
 */
export function answerUnreadable(server: Server, services: Services): void {
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on('request', (req, res) => {
    answering.set(req.socket, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const begun = answering.get(socket);
    const isAnswering = begun !== undefined && !begun.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || (isAnswering && begun.headersSent))
      socket.destroy();
    // The next request is the unreadable one. Its refusal would be taken for the answer that is still to come.
    else if (isAnswering && begun.req.complete) begun.shouldKeepAlive = false;
    else socket.end(refusal(error, new Context(services, { headers: {} })));
  });
  server.on('connect', (_req, stream) => {
    stream.on('error', ignored);
    // Node no longer watches this connection, so it must not wait for the client to close it.
    stream.end(refusal({ code: 'CONNECT' }, new Context(services, { headers: {} })), () => stream.destroy());
  });
}

function refusal({ code = '' }: { code?: string }, context: Context): string {
  const { detail, status = catalogue.BAD_REQUEST.status } = reasons[code] ?? { detail: messages.notHttp };
  const { problem, headers } = problemOf(new AppError('BAD_REQUEST', { detail }), context);
  context.log.info({ reason: code, status }, 'unreadable request');
  const body = JSON.stringify({ ...problem, status });
  return written(status, { ...headers, 'x-request-id': context.requestId }, body);
}

/** An answer as raw HTTP. The connection is closed after it. */
function written(status: number, headers: Record<string, string>, body: string): string {
  const all = {
    ...Object.fromEntries(dataHeaders),
    ...headers,
    date: new Date().toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
