import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, Request } from 'express';
import { parse, type GraphQLError, type GraphQLSchema } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { changeTexts } from '../changes/messages.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { Context } from '../request/context.ts';
import type { Services } from '../request/services.ts';
import { ignored, inBackground } from '../runtime/background.ts';
import { pathAsked } from '../text/path-asked.ts';
import { graphqlTexts } from './messages.ts';
import { formatted } from './server.ts';
import { beginSubscription, type Results } from './subscribe.ts';

/** Interval at which the service closes connections that are dead, or have had no subscription since the last check. */
const LOOK_MS = 30_000;
/** Number of pings without an answer after which a connection is dead. A slow client first reads what was sent before. */
const UNANSWERED = 4;

/** Close codes of WebSocket and of the protocol. */
const GOING_AWAY = 1001;
const NOT_UTF8 = 1007;
const NOTHING_ASKED = 4408;

const WEBSOCKET_VERSION = '13';

/** Any subscription. The library checks only that it is one. `beginSubscription` reads the document that was sent. */
const SUBSCRIPTION = parse('subscription { any }');

interface Connection {
  socket: WebSocket;
  address: string | undefined;
  /** Subscriptions that are open. */
  open: number;
}

/** Answers a request on its bare connection with a problem document, and closes it. */
type Refuse = (
  stream: Duplex,
  error: AppError,
  context: Context,
  extra?: { headers: Record<string, string> },
) => void;

/**
 * Accepts subscriptions over WebSocket at `/graphql`, in the protocol `graphql-transport-ws`. The payload of
 * `connection_init` contains names and values of headers. Returns a function that closes all sockets gracefully.
 */
export function acceptSockets(
  server: Server,
  app: Express,
  services: Services,
  schema: GraphQLSchema,
  refuse: Refuse,
): () => void {
  const { config, lifecycle } = services;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: config.MAX_BODY_BYTES,
    perMessageDeflate: false,
    handleProtocols,
  });
  const protocol = makeServer<Record<string, unknown>, Connection>({
    async onSubscribe({ connectionParams = {}, extra }, _id, sent) {
      const context = new Context(services, { headers: headersOf(connectionParams), ip: extra.address });
      extra.open += 1;
      const begun = await beginSubscription(schema, context, sent);
      return { schema, document: SUBSCRIPTION, contextValue: begun };
    },
    subscribe: ({ contextValue }) => {
      const begun = contextValue as Results | readonly GraphQLError[];
      return 'next' in begun ? begun : { errors: begun };
    },
    onNext: (_ctx, _id, _sent, _args, result) => formatted(result),
    onComplete({ extra }) {
      extra.open -= 1;
      if (lifecycle.stopping && extra.open === 0) extra.socket.close(GOING_AWAY);
    },
  });
  const connections = new Set<Connection>();
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const connection = { socket, address: addressOf(app, request), open: 0 };
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
    serve(protocol, connection);
  });
  sockets.on('wsClientError', (_error: Error, stream: Duplex, request: IncomingMessage) => {
    const error = new AppError('BAD_REQUEST', { detail: graphqlTexts.badHandshake });
    const headers = { 'sec-websocket-version': WEBSOCKET_VERSION };
    refuse(stream, error, new Context(services, request), { headers });
  });
  server.on('upgrade', (request, stream, head) => {
    const refused = refusal(request, sockets.clients.size, services);
    if (refused) refuse(stream, refused, new Context(services, request));
    else
      sockets.handleUpgrade(request, stream, head, socket => {
        readNoFaster(socket, stream);
        sockets.emit('connection', socket, request);
      });
  });
  // The others close after their last subscription.
  return () => {
    for (const connection of connections) if (connection.open === 0) connection.socket.close(GOING_AWAY);
  };
}

type Protocol = ReturnType<typeof makeServer<Record<string, unknown>, Connection>>;

function serve(protocol: Protocol, connection: Connection): void {
  const { socket } = connection;
  let unanswered = 0;
  let wasIdle = false;
  const look = setInterval(() => {
    const isIdle = connection.open === 0;
    if (isIdle && wasIdle) return socket.close(NOTHING_ASKED, 'Nothing asked');
    wasIdle = isIdle;
    // A ping would wait behind it. `endStalled` watches that it is read.
    if (socket.bufferedAmount > 0) return;
    if (unanswered === UNANSWERED) return socket.terminate();
    unanswered += 1;
    socket.ping();
  }, LOOK_MS);
  socket.on('pong', () => (unanswered = 0));
  // The `close` event follows and is handled below.
  socket.on('error', ignored);
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      // Resolves when the message was sent, so that a slow client gets no further ones.
      send: text =>
        new Promise((resolve, reject) => {
          if (socket.readyState !== socket.OPEN) resolve();
          else socket.send(text, error => (error ? reject(error) : resolve()));
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: receive =>
        socket.on('message', (data: Buffer) => {
          // The library checks this for messages of text only.
          if (!isUtf8(data)) return socket.close(NOT_UTF8);
          inBackground(receive(data.toString()), () => socket.close(1011));
        }),
    },
    connection,
  );
  socket.once('close', (code, reason) => {
    clearInterval(look);
    inBackground(closed(code, String(reason)), ignored);
  });
}

/** Reads nothing more from a client while it does not read its answers. They would fill the memory. */
function readNoFaster(socket: WebSocket, stream: Duplex): void {
  const waitForClient = (): void => {
    if (stream.writableNeedDrain) socket.pause();
  };
  socket.on('message', waitForClient);
  socket.on('ping', waitForClient);
  stream.on('drain', () => socket.resume());
}

/** Why a request for a WebSocket is refused; undefined to accept it. */
function refusal(
  { url = '', headers }: IncomingMessage,
  open: number,
  { config, lifecycle }: Services,
): AppError | undefined {
  const paths = ['/graphql', `${config.BASE_PATH}/graphql`];
  if (!paths.includes(pathAsked(url).replace(/\?.*$/, '')))
    return new AppError('NOT_FOUND', { detail: messages.noSuchPath });
  if (lifecycle.stopping) return new AppError('UNAVAILABLE', { detail: changeTexts.draining, retryAfter: 1 });
  if (open >= config.MAX_SUBSCRIPTIONS)
    return new AppError('UNAVAILABLE', { detail: changeTexts.allTaken, retryAfter: 10 });
  const { origin, host } = headers;
  const allowed = config.CORS_ORIGINS;
  const isOurs = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return isOurs || allowed.includes('*') || allowed.includes(origin)
    ? undefined
    : new AppError('FORBIDDEN', { detail: graphqlTexts.otherOrigin });
}

/** The client's address, as Express determines it behind trusted proxies. */
function addressOf(app: Express, request: IncomingMessage): string | undefined {
  return (Object.setPrototypeOf(request, app.request as object) as Request).ip;
}

const headersOf = (payload: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(payload)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
