import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Fewest bytes that a client must take of what waits for it, within `LOOKS` periods. */
interface Pace {
  bytes: number;
  everyMs: number;
}

const usual: Pace = { bytes: 65_536, everyMs: 60_000 };

/**
 * A client may read steadily, and its system still takes nothing for a minute or two: it has buffers of some megabytes, and
 * says that there is room again only when a good part of them is empty.
 */
const LOOKS = 4;

/** What a connection had taken when a look last found that it goes on, and the number of looks since then. */
interface Mark {
  taken: number;
  looks: number;
}

/**
 * Closes connections whose clients read too slowly, because they hold memory, and what their answers are read from. A
 * client that reads nothing is disconnected after four to five minutes. Watches answers, streams of events and web sockets.
 */
export function endStalled(server: Server, { bytes, everyMs }: Pace = usual): void {
  const marks = new Map<Socket, Mark | undefined>();
  server.on('connection', (socket: Socket) => {
    marks.set(socket, undefined);
    socket.once('close', () => marks.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, mark] of marks) {
      const taken = takenOf(socket);
      if (socket.writableLength === 0) marks.set(socket, undefined);
      else if (!mark || taken - mark.taken >= bytes) marks.set(socket, { taken, looks: 0 });
      else if (++mark.looks === LOOKS) socket.destroy();
    }
  }, everyMs);
  server.once('close', () => clearInterval(timer));
}

/**
 * The bytes that the system has taken. What is public in Node.js counts a piece when all of it is taken, and the largest
 * answers are one piece.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
