import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { type Services } from '../request/services.ts';
import { pathAsked } from '../text/path-asked.ts';
import { withoutPrefix } from '../text/prefix.ts';
import { boundUnread } from './unread.ts';
import { answerUnreadable } from './unreadable-request.ts';

/**
 * Node's HTTP server, but every answer is one of the service. Node itself would refuse some requests, without a text
 * and without the headers of all answers.
 *
 * All paths are served below `BASE_PATH`, too. A proxy may pass the prefix on or remove it, and a monitor beside the
 * service need not know it.
 */
export function httpServer(options: ServerOptions, app: RequestListener, services: Services): Server {
  const ours: ServerOptions = {
    // `oneHost` requires it.
    requireHostHeader: false,
    // A client that offers HTTP/2 takes an answer of HTTP/1.1 as well (RFC 9110, 7.8).
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  };
  const { BASE_PATH } = services.config;
  const server = createServer({ ...options, ...ours }, (req, res) => {
    // Paths are signed in this form, and without the prefix.
    req.url = withoutPrefix(pathAsked(req.url!), BASE_PATH);
    app(req, res);
  });
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  answerUnreadable(server, services);
  boundUnread(server);
  return server;
}
