import { maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import type { Text } from '../messages.ts';
import { httpTexts } from './messages.ts';
import { Context } from '../request/context.ts';
import { type Services } from '../request/services.ts';
import { rawRefusal, refuse } from './raw-refusal.ts';

/** Reasons by error code of Node's HTTP server. 408 tells a slow client that it may send the request again. */
const reasons: Readonly<Record<string, { detail: Text; status?: number }>> = {
  HPE_HEADER_OVERFLOW: { detail: httpTexts.headersTooLarge(maxHeaderSize) },
  ERR_HTTP_REQUEST_TIMEOUT: { detail: httpTexts.requestTooSlow, status: 408 },
};

const refusalFor = (detail: Text): AppError => new AppError('BAD_REQUEST', { detail });

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
    else {
      const { detail, status } = reasons[error.code ?? ''] ?? { detail: httpTexts.notHttp };
      // Nothing of the request is known.
      const context = new Context(services, { headers: {} });
      socket.end(rawRefusal(refusalFor(detail), context, { status }));
    }
  });
  server.on('connect', (req, stream) =>
    refuse(stream, refusalFor(httpTexts.noProxy), new Context(services, req)),
  );
}
