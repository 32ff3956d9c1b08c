import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Most bytes of an unread body that are still read after the answer, so that the connection can be reused. */
const UNREAD_BYTES = 4_194_304;
/** How long a closing connection stays open, so that the client can read the answer. */
const LINGER_MS = 2_000;

/**
 * Limits how much of a body is read after its request was answered. Node would read any length, or close the connection
 * so early that the client never sees the answer.
 */
export function boundUnread(server: Server): void {
  server.on('request', (req, res) => {
    res.once('prefinish', () => {
      if (!req.complete) discard(req, res);
    });
  });
}

function discard(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req;
  let left = UNREAD_BYTES;
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    if (timer) return;
    timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.end();
  };
  // Node calls this after an answer with `Connection: close`.
  if (!res.shouldKeepAlive) socket.destroySoon = close;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    req.pause();
    close();
  });
  req.once('end', () => {
    if (timer) socket.destroy();
  });
  // Marks the body as being read, so that Node does not read it.
  req.read(0);
  req.resume();
}
