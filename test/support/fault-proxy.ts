import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/embedded-postgres/settings.ts';

/** What may befall what is sent through the proxy. */
export type Fault =
  | { kind: 'none' }
  /** Connections are accepted and stay open; nothing is passed on until the fault is over. */
  | { kind: 'stall' }
  /** Every piece is passed on with this delay. */
  | { kind: 'delay'; ms: number }
  /** No more than so many bytes a second, each way. */
  | { kind: 'slow'; bytesPerSecond: number }
  /**
   * A piece with these bytes is passed on, but its answer never arrives: the connection is cut off, or stays silent. With
   * `once`, only the first such answer is lost.
   */
  | { kind: 'lose answer'; to: string; by: 'cut' | 'stall'; once?: true };

/** What befell one connection. */
interface Link {
  /** The next answer is to be lost. */
  loses: boolean;
  /** Nothing is passed on any more, and the connection stays open. */
  forgotten: boolean;
  server: Socket;
}

/** A connection to the server, by its local port. The system may give the port to others once it is closed. */
interface Made {
  port: number;
  closed: Date | undefined;
}

/** A TCP proxy between the service and what it depends on. */
export class FaultProxy {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #links = new Set<Link>();
  readonly #server: Server;
  #fault: Fault = { kind: 'none' };
  #over = Promise.withResolvers<void>();
  /** All connections ever made on behalf of clients. */
  readonly made: Made[] = [];
  /** Answers that were lost. */
  lost = 0;

  private constructor(
    private readonly port: number,
    private readonly target: { host: string; port: number },
  ) {
    this.#server = createServer(client => void this.#connect(client));
  }

  /** Starts one before the server of a URL; answers it with the URL through it. */
  static async before(url: string): Promise<{ proxy: FaultProxy; url: string }> {
    const through = new URL(url);
    const target = { host: through.hostname, port: Number(through.port) };
    const proxy = new FaultProxy(await freePort(), target);
    await proxy.listen();
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    return { proxy, url: through.href };
  }

  async listen(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Local ports of the connections that are open now. */
  get openPorts(): number[] {
    return [...this.#pairs].flatMap(([, { localPort }]) => localPort ?? []);
  }

  begin(fault: Fault): void {
    this.#fault = fault;
  }

  /** Ends the fault: what was held back is passed on. */
  end(): void {
    this.#fault = { kind: 'none' };
    this.#over.resolve();
    this.#over = Promise.withResolvers();
  }

  /**
   * Passes on nothing more of the existing connections, or of the one with this local port, like a firewall that dropped
   * them; new ones work.
   */
  forget(port?: number): void {
    for (const link of this.#links)
      if (port === undefined || link.server.localPort === port) link.forgotten = true;
  }

  /** Cuts off every connection. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Cuts off every connection and accepts no new one, until `listen`. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  async stop(): Promise<void> {
    this.end();
    if (this.#server.listening) await this.refuse();
  }

  async #connect(client: Socket): Promise<void> {
    const server = connect({ ...this.target, noDelay: true });
    const pair = [client, server] as const;
    const link: Link = { loses: false, forgotten: false, server };
    this.#pairs.add(pair);
    this.#links.add(link);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        for (const other of pair) other.destroy();
        this.#pairs.delete(pair);
        this.#links.delete(link);
      });
    }
    await once(server, 'connect').catch(() => undefined);
    if (server.localPort) this.#note(server, server.localPort);
    await Promise.all([
      this.#pump(client, server, chunk => this.#outward(chunk, link)),
      this.#pump(server, client, () => this.#homeward(client, link)),
    ]);
  }

  #note(server: Socket, port: number): void {
    const made: Made = { port, closed: undefined };
    this.made.push(made);
    server.once('close', () => (made.closed = new Date()));
  }

  async #pump(from: Socket, to: Socket, before: (chunk: Buffer) => Promise<void>): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await before(chunk);
        await this.#pass(chunk, to);
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  async #outward(chunk: Buffer, link: Link): Promise<void> {
    const fault = this.#fault;
    if (fault.kind === 'stall' || link.forgotten) await this.#over.promise;
    if (fault.kind === 'lose answer' && chunk.includes(fault.to)) link.loses = true;
  }

  async #homeward(client: Socket, link: Link): Promise<void> {
    const fault = this.#fault;
    if (fault.kind === 'stall' || link.forgotten) await this.#over.promise;
    if (fault.kind !== 'lose answer' || !link.loses) return;
    this.lost++;
    if (fault.once) this.#fault = { kind: 'none' };
    if (fault.by === 'cut') client.resetAndDestroy();
    else await this.#over.promise;
  }

  async #pass(chunk: Buffer, to: Socket): Promise<void> {
    const fault = this.#fault;
    if (fault.kind === 'delay') await sleep(fault.ms);
    if (fault.kind !== 'slow') return write(to, chunk);
    const piece = Math.max(1, Math.round(fault.bytesPerSecond / 100));
    for (let at = 0; at < chunk.length; at += piece) {
      await sleep(10);
      await write(to, chunk.subarray(at, at + piece));
    }
  }
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (to.destroyed) throw new Error('closed meanwhile');
  if (to.write(chunk)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]).finally(() =>
    waiting.abort(),
  );
}
