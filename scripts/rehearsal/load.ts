import { setTimeout as sleep } from 'node:timers/promises';
import { demoPassword } from '../../src/demo/login.ts';
import { systemHeaders } from '../../test/support/client.ts';
import type { Door } from '../../test/support/doors.ts';
import { HttpsClient, type Answer } from './https-client.ts';
import { Successes } from './successes.ts';

const STORE = '/almoxarifadoquimicos';
const ENTRY = 2;
/** Between two requests of a client, in milliseconds: the machine also runs everything else. */
const PAUSE_MS = 30;
const READERS = 3;

/** A cell of stock, to which one writer alone adds. */
export interface Cell {
  idLote: number;
  idLocal: number;
  idLocalArmazenado: number;
  quantidade: number;
}

/** What clients do while things fail, and what they were told. */
export class Load {
  readonly reads = new Successes();
  readonly writes = new Successes();
  /** Marks of movements that were acknowledged, and of those whose clients gave up without an answer. */
  readonly acknowledged: string[] = [];
  readonly unknown: string[] = [];
  /** Reads that did not show what their client had been told before. */
  readonly stale: string[] = [];
  /** Answers that no failure explains. */
  readonly strange: string[] = [];
  logins = 0;
  #isOver = false;
  #working: Promise<void>[] = [];
  readonly #clients: HttpsClient[] = [];

  constructor(
    private readonly door: Door,
    private readonly cells: readonly Cell[],
  ) {}

  async start(): Promise<void> {
    const token = await this.#logIn(this.#client(), 'admin');
    if (!token) throw new Error('nobody can log in');
    const read = (): Promise<void> => this.#read(token);
    this.#working = [
      ...this.cells.map((cell, i) => this.#write(`writer ${i}`, token, cell)),
      ...Array.from({ length: READERS }, read),
      this.#logInAgainAndAgain(),
    ];
  }

  /** Ends it. Writers first learn what became of their last request. */
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

  /** Enters one into a cell again and again, and reads each time what is there. */
  async #write(name: string, token: string, cell: Cell): Promise<void> {
    const client = this.#client();
    const at = `${STORE}/estoques/${cell.idLote}:${cell.idLocal}:${cell.idLocalArmazenado}`;
    let least = cell.quantidade;
    for (let i = 1; !this.#isOver; i++) {
      const mark = `rehearsal ${name} ${i}`;
      const movement = {
        id_lote: cell.idLote,
        id_tipo_movimentacao: ENTRY,
        id_local_destino_fim: cell.idLocal,
        id_local_destino_arm: cell.idLocalArmazenado,
        quantidade: 1,
        fl_estorno: 'N',
        observacao: mark,
      };
      const headers = { token, 'idempotency-key': mark.replaceAll(' ', '-') };
      const path = `${STORE}/movimentacoes-estoque`;
      const isDone = await this.#untilAnswered(() =>
        client.send('POST', path, headers, { movimentacoes: [movement] }),
      );
      if (!isDone) {
        this.unknown.push(mark);
        continue;
      }
      this.acknowledged.push(mark);
      this.writes.note();
      least += 1;
      const { status, body } = await client.send('GET', at, { token });
      if (status === 200) {
        this.reads.note();
        const seen = (body as { quantidade: number }).quantidade;
        if (seen < least) this.stale.push(`${mark}: ${seen} instead of ${least} and more`);
        least = Math.max(least, seen);
      } else this.#failed('GET', at, status, body);
      await sleep(PAUSE_MS);
    }
  }

  /** Sends it again with the same key until it is answered. Whether it was, before the end. */
  async #untilAnswered(send: () => Promise<Answer>): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      const { status, body } = await send();
      if (status === 201) return true;
      this.#failed('POST', 'movement', status, body);
      if (this.#isOver && tries > 20) return false;
      await sleep(PAUSE_MS);
    }
  }

  async #read(token: string): Promise<void> {
    const client = this.#client();
    const paths = ['materiais?pagination=true&itemsPerPage=5', 'lotes?pagination=true&itemsPerPage=5'];
    for (let i = 0; !this.#isOver; i++) {
      const path = `${STORE}/${paths[i % paths.length]}`;
      const { status, body } = await client.send('GET', path, { token });
      if (status === 200) this.reads.note();
      else this.#failed('GET', path, status, body);
      await sleep(PAUSE_MS);
    }
  }

  /** A session that was opened is there for its owner at once. */
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
        if (status === 401) this.stale.push(`login ${this.logins}: its session is not there`);
      }
      await sleep(10 * PAUSE_MS);
    }
  }

  async #logIn(client: HttpsClient, username: string): Promise<string | undefined> {
    const credentials = { username, password: demoPassword(username) };
    const { status, body } = await client.send('POST', '/auth/login', systemHeaders, credentials);
    if (status === 200) return (body as { token: string }).token;
    this.#failed('POST', '/auth/login', status, body);
    return undefined;
  }

  /** Nobody there (0), no node (502, 504), the database is away (503), the same request still runs (409). */
  #failed(method: string, path: string, status: number, body: unknown): void {
    if ([0, 409, 502, 503, 504].includes(status) || this.strange.length > 20) return;
    this.strange.push(`${method} ${path}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`);
  }
}
