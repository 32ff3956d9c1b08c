import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Most of a body that is read after its answer, so that its connection can carry a next request. */
const UNREAD_BYTES = 4_194_304;
/** How long a connection that is closed before its body was read stays open, for the client to read the answer. */
const LINGER_MS = 2_000;

/**
 * Reads little more of a body whose request is answered already. Node itself would read it to its end, however long it
 * is, or close the connection so abruptly that the client never sees the answer.
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
  // Node calls it when an answer is sent that says that the connection is closed after it.
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
  // Marks the body as read, or else Node would read it.
  req.read(0);
  req.resume();
}
