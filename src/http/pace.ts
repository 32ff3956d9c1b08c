import type { Server, ServerResponse } from 'node:http';

/** The least that a client must read of a waiting answer in each period. */
interface Pace {
  bytes: number;
  everyMs: number;
}

/** About 1 kB/s; a client that takes nothing is cut off after one to two minutes. */
const usual: Pace = { bytes: 65_536, everyMs: 60_000 };

/**
 * Breaks off answers that their clients do not read, or so slowly that they mean to hold memory and connections. An
 * answer in one piece shows no progress before it is taken whole, and so must be within that time.
 */
export function endStalled(server: Server, { bytes, everyMs }: Pace = usual): void {
  /** Each answer in progress, with the bytes that its client had read at the last check at which it was waiting. */
  const waiting = new Map<ServerResponse, number | undefined>();
  server.on('request', (_req, res) => {
    waiting.set(res, undefined);
    res.once('close', () => waiting.delete(res));
  });
  const timer = setInterval(() => {
    for (const [res, before] of waiting) {
      const { socket } = res;
      if (!socket || socket.writableLength === 0) waiting.set(res, undefined);
      else {
        const taken = socket.bytesWritten - socket.writableLength;
        if (before !== undefined && taken - before < bytes) socket.destroy();
        else waiting.set(res, taken);
      }
    }
  }, everyMs);
  server.once('close', () => clearInterval(timer));
}
