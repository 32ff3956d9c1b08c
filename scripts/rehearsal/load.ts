import { setTimeout as sleep } from 'node:timers/promises';
import type { Door } from '../../test/support/doors.ts';
import { HttpsClient, type Answer } from './https-client.ts';
import { Successes } from './successes.ts';

const STORE = '/almoxarifadoquimicos';
const MOVEMENTS = `${STORE}/movimentacoes-estoque`;
const ENTRY = 2;
/** Pause between two requests of a client. The same machine runs everything else. */
const PAUSE_MS = 30;
const READERS = 3;

/** A cell of stock. Only one writer adds to it. */
export interface Cell {
  idLote: number;
  idLocal: number;
  idLocalArmazenado: number;
  quantidade: number;
}

/** The clients that read and write during the failures, and what they were answered. */
export class Load {
  readonly reads = new Successes();
  readonly writes = new Successes();
  /** Marks of the movements that were acknowledged, and of those whose client gave up without an answer. */
  readonly acknowledged: string[] = [];
  readonly unknown: string[] = [];
  /** Reads that returned an older state than their client had already seen. */
  readonly stale: string[] = [];
  /** Answers that no failure explains. */
  readonly unexpected: string[] = [];
  logins = 0;
  #isOver = false;
  #working: Promise<void>[] = [];
  readonly #clients: HttpsClient[] = [];

  constructor(
    private readonly door: Door,
    private readonly token: string,
    private readonly cells: readonly Cell[],
  ) {}

  start(): void {
    this.#working = [
      ...this.cells.map((cell, i) => this.#write(`writer ${i}`, cell)),
      ...Array.from({ length: READERS }, () => this.#read()),
      this.#logInAgainAndAgain(),
    ];
  }

  /** Posts one movement to a node directly, while nothing fails. @throws Error when the node refuses it */
  async enterAt(node: string, mark: string): Promise<void> {
    const answer = await fetch(node + MOVEMENTS, {
      method: 'POST',
      headers: { token: this.token, 'content-type': 'application/json' },
      body: JSON.stringify(oneMore(this.cells[0]!, mark)),
    });
    if (answer.status !== 201) throw new Error(`${mark}: ${answer.status} ${await answer.text()}`);
    this.acknowledged.push(mark);
  }

  /** Stops the clients. Writers first wait for the answer to their last request. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
    for (const client of this.#clients) client.close();
  }

  get statuses(): Map<number, number> {
    const all = this.#clients.flatMap(({ statuses }) => [...statuses]);
    return all.reduce((sum, [status, count]) => sum.set(status, (sum.get(status) ?? 0) + count), new Map());
  }

  #client(): HttpsClient {
    const client = new HttpsClient(this.door);
    this.#clients.push(client);
    return client;
  }

  /** Adds one to a cell again and again, and reads the cell after each write. */
  async #write(name: string, cell: Cell): Promise<void> {
    const client = this.#client();
    const at = `${STORE}/estoques/${cell.idLote}:${cell.idLocal}:${cell.idLocalArmazenado}`;
    let least = cell.quantidade;
    for (let i = 1; !this.#isOver; i++) {
      const mark = `rehearsal ${name} ${i}`;
      const headers = { token: this.token, 'idempotency-key': mark.replaceAll(' ', '-') };
      const isDone = await this.#untilAnswered(() =>
        client.send('POST', MOVEMENTS, headers, oneMore(cell, mark)),
      );
      if (!isDone) {
        this.unknown.push(mark);
        continue;
      }
      this.acknowledged.push(mark);
      this.writes.note();
      least += 1;
      const { status, body } = await client.send('GET', at, { token: this.token });
      if (status === 200) {
        this.reads.note();
        const seen = (body as { quantidade: number }).quantidade;
        if (seen < least) this.stale.push(`${mark}: ${seen} instead of ${least} and more`);
        least = Math.max(least, seen);
      } else this.#failed('GET', at, status, body);
      await sleep(PAUSE_MS);
    }
  }

  /** Retries with the same key until there is an answer. Returns whether there was one before the end. */
  async #untilAnswered(send: () => Promise<Answer>): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      const { status, body } = await send();
      if (status === 201) return true;
      this.#failed('POST', 'movement', status, body);
      if (this.#isOver && tries > 20) return false;
      await sleep(PAUSE_MS);
    }
  }

  async #read(): Promise<void> {
    const client = this.#client();
    const paths = ['materiais?pagination=true&itemsPerPage=5', 'lotes?pagination=true&itemsPerPage=5'];
    for (let i = 0; !this.#isOver; i++) {
      const path = `${STORE}/${paths[i % paths.length]}`;
      const { status, body } = await client.send('GET', path, { token: this.token });
      if (status === 200) this.reads.note();
      else this.#failed('GET', path, status, body);
      await sleep(PAUSE_MS);
    }
  }

  /** A new session must be valid at once for its owner. */
  async #logInAgainAndAgain(): Promise<void> {
    const client = this.#client();
    const people = ['tecnico', 'almoxarife', 'docente', 'discente'];
    for (let i = 0; !this.#isOver; i++) {
      const token = await this.#logIn(client, people[i % people.length]!);
      if (token) {
        this.logins++;
        const { status } = await client.send('GET', `${STORE}/estoques?pagination=true&itemsPerPage=1`, {
          token,
        });
        if (status === 401) this.stale.push(`login ${this.logins}: its session is unknown`);
      }
      await sleep(10 * PAUSE_MS);
    }
  }

  async #logIn(client: HttpsClient, username: string): Promise<string | undefined> {
    const { status, body } = await client.logIn(username);
    if (status === 200) return (body as { token: string }).token;
    this.#failed('POST', '/auth/login', status, body);
    return undefined;
  }

  /** Expected: no answer (0), no node (502, 504), no database (503), the same request still runs (409). */
  #failed(method: string, path: string, status: number, body: unknown): void {
    if ([0, 409, 502, 503, 504].includes(status) || this.unexpected.length > 20) return;
    this.unexpected.push(`${method} ${path}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`);
  }
}

/** The movement that adds one to a cell. */
const oneMore = (cell: Cell, mark: string): object => ({
  movimentacoes: [
    {
      id_lote: cell.idLote,
      id_tipo_movimentacao: ENTRY,
      id_local_destino_fim: cell.idLocal,
      id_local_destino_arm: cell.idLocalArmazenado,
      quantidade: 1,
      fl_estorno: 'N',
      observacao: mark,
    },
  ],
});
