import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createApp } from '../src/app.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { acceptSockets } from '../src/graphql/web-sockets.ts';
import { refuse } from '../src/http/raw-refusal.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { SUBSCRIBE } from './support/subscriptions.ts';

const service = useService();
const LOOK_MS = 30_000;
/** Messages of 100 kB: more than the buffers of both systems hold. */
const COUNT = 600;

async function open(url: string, options = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', options);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

it('a WebSocket whose client answers late stays open, and one whose client answers no more is closed', async () => {
  const { headers } = await service().as('admin');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    // Its answers are late, because what was sent before has to be read first.
    const socket = await open(service().url, { autoPong: false });
    const closed = vi.fn();
    socket.once('close', closed);
    socket.send(JSON.stringify({ type: 'connection_init', payload: headers }));
    await once(socket, 'message');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIBE } }));
    await once(socket, 'message');
    for (const isLate of [true, true, false]) {
      vi.advanceTimersByTime(3 * LOOK_MS);
      if (isLate) socket.pong();
      // The service has read the answer when it answers this.
      socket.ping();
      await Promise.race([once(socket, 'pong'), once(socket, 'close')]);
      expect(closed).not.toHaveBeenCalled();
    }
    vi.advanceTimersByTime(3 * LOOK_MS);
    await eventually(() => expect(closed).toHaveBeenCalled());
  } finally {
    vi.useRealTimers();
  }
});

it('a client that asks over WebSocket, and does not read the answers, is read no further until it does', async () => {
  const { services } = service();
  const schema = await createSchema();
  const app = await createApp(services, schema);
  const server = createServer(app).listen(0, '127.0.0.1');
  acceptSockets(server, app, services, schema, refuse);
  onTestFinished(() => void server.close());
  const connected = once(server, 'connection') as Promise<[Socket]>;
  await once(server, 'listening');
  const socket = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [atService] = await connected;
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  socket.pause();
  let most = 0;
  atService.on('data', () => (most = Math.max(most, atService.writableLength)));
  const message = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(100_000) } });
  for (let i = 0; i < COUNT; i++) socket.send(message);
  // It has stopped, or has read everything.
  await eventually(() =>
    expect(atService.isPaused() || atService.bytesRead > COUNT * message.length).toBe(true),
  );
  let answers = 0;
  socket.on('message', () => answers++);
  socket.resume();
  await eventually(() => expect(answers).toBe(COUNT));
  expect(most).toBeLessThan(2_000_000);
});
