import type { Server, ServerResponse } from 'node:http';

/** Minimum number of bytes that a client must read of a waiting answer in each period. */
interface Pace {
  bytes: number;
  everyMs: number;
}

/** About 1 kB/s. A client that reads nothing is disconnected after one to two minutes. */
const usual: Pace = { bytes: 65_536, everyMs: 60_000 };

/**
 * Closes connections whose clients read too slowly, because they hold memory and connections. An answer in one chunk
 * shows no progress until it is read completely, so it must be read within one period.
 */
export function endStalled(server: Server, { bytes, everyMs }: Pace = usual): void {
  /** Answers in progress, with the number of bytes read when the last check found them waiting. */
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
