import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A fault of one statement, on the network:
 * - `cut`, `silent`: the connection is lost or falls silent before the server gets the statement
 * - `answer lost`: the server executes the statement, and the connection is lost before the answer
 * - `error`: the server answers with an error
 */
export const faults = ['cut', 'silent', 'answer lost', 'error'] as const;
export type Fault = (typeof faults)[number];

/** A simple query, and the execution of a prepared one. */
const QUERY = 0x51;
const EXECUTE = 0x45;

/** A message of PostgreSQL's protocol: type, length and content. */
function message(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** What PostgreSQL answers with an error, in a transaction as well as outside of one. */
const failing = (type: number): Buffer =>
  type === QUERY
    ? message(QUERY, Buffer.from("do $$ begin raise 'a fault' using errcode = 'XX000'; end $$\0"))
    : message(EXECUTE, Buffer.from('no such portal\0\0\0\0\0'));

/** A proxy in front of a PostgreSQL server. It counts statements and makes one of them fail. */
export class StatementFaults {
  readonly #server = createServer(client => this.#connect(client));
  readonly #sockets = new Set<Socket>();
  #fault: { kind: Fault | 'none'; at: number } | undefined;
  #seen = 0;

  private constructor(private readonly target: { host: string; port: number }) {}

  static async before(url: string): Promise<{ proxy: StatementFaults; url: string }> {
    const through = new URL(url);
    const proxy = new StatementFaults({ host: through.hostname, port: Number(through.port) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    through.hostname = '127.0.0.1';
    through.port = String((proxy.#server.address() as AddressInfo).port);
    return { proxy, url: through.href };
  }

  /** Counts statements from now on. The fault happens to the statement with this number, if there is one. */
  begin(kind: Fault | 'none', at: number): void {
    this.#seen = 0;
    this.#fault = { kind, at };
  }

  /** Ends the fault and the counting. */
  end(): void {
    this.#fault = undefined;
  }

  /** Statements from `begin` to `end`. */
  get seen(): number {
    return this.#seen;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(client: Socket): void {
    const server = connect({ ...this.target, noDelay: true });
    const pair = [client, server];
    const cut = (): void => {
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) {
      this.#sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    let waiting: Buffer = Buffer.alloc(0);
    let isStarted = false;
    let isSilent = false;
    let losesAnswer = false;
    client.on('data', chunk => {
      waiting = Buffer.concat([waiting, chunk]);
      for (;;) {
        // The first message has no type.
        const head = isStarted ? 1 : 0;
        if (waiting.length < head + 4) return;
        const length = head + waiting.readUInt32BE(head);
        if (waiting.length < length) return;
        let next = waiting.subarray(0, length);
        waiting = waiting.subarray(length);
        const fault = isStarted && this.#befalls(next[0]!);
        isStarted = true;
        if (fault === 'cut') return cut();
        isSilent ||= fault === 'silent';
        losesAnswer ||= fault === 'answer lost';
        if (fault === 'error') next = failing(next[0]!);
        if (!isSilent) server.write(next);
      }
    });
    server.on('data', chunk => {
      if (losesAnswer) cut();
      else if (!isSilent) client.write(chunk);
    });
  }

  #befalls(type: number): Fault | 'none' | undefined {
    if (!this.#fault || (type !== QUERY && type !== EXECUTE)) return undefined;
    this.#seen++;
    return this.#seen === this.#fault.at ? this.#fault.kind : undefined;
  }
}
