import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from './client.ts';
import { eventually } from './process.ts';

const movements = '/almoxarifadoquimicos/movimentacoes-estoque';

/** After each answer, so that the upgrade and other tests have most of the processor. */
const PAUSE_MS = 20;

/**
 * Two people who read all these paths in turn while two others move stock, each with a short pause after an answer. Each
 * mover has a Location of their own, because a wait for each other's stock may end in 503 on a busy machine.
 */
export class Load {
  /** Ids of movements that were acknowledged. */
  readonly acknowledged: number[] = [];
  reads = 0;
  /** Answers that were not a success. */
  readonly refused: string[] = [];
  #stopping = false;
  readonly #running: Promise<unknown>;

  constructor(
    private readonly client: Client,
    paths: readonly string[],
    locations: readonly [number, number],
  ) {
    const forever = async (work: (turn: number) => Promise<void>): Promise<void> => {
      for (let turn = 0; !this.#stopping; turn++) {
        await work(turn);
        await sleep(PAUSE_MS);
      }
    };
    this.#running = Promise.all([
      forever(turn => this.#read(paths[turn % paths.length]!)),
      forever(turn => this.#read(paths[((turn + paths.length / 2) % paths.length) | 0]!)),
      ...locations.map(location => forever(turn => this.#move(turn, location))),
    ]);
    // `stop` reports the error.
    this.#running.catch(() => undefined);
  }

  /** Resolves after this many further reads and movements. */
  async more(count: number): Promise<void> {
    const [reads, moved] = [this.reads + count, this.acknowledged.length + count];
    const enough = eventually(() => {
      if (this.refused.length === 0 && (this.reads < reads || this.acknowledged.length < moved))
        throw new Error('not enough answered yet');
    });
    await Promise.race([enough, this.#running]);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #read(path: string): Promise<void> {
    const answer = await answered(() => this.client.get(path));
    if (this.#succeeded(answer, 200, path)) this.reads++;
  }

  /** Enters stock and takes half of it away, alternately. */
  async #move(turn: number, location: number): Promise<void> {
    const [id_tipo_movimentacao, quantidade, end] =
      turn % 2 === 0 ? ([2, 2, 'id_local_destino_fim'] as const) : ([4, 1, 'id_local_origem_fim'] as const);
    const one = { id_lote: 112, id_tipo_movimentacao, [end]: location, quantidade, fl_estorno: 'N' };
    const client = this.client.with({ 'idempotency-key': randomUUID() });
    const answer = await answered(() => client.post(movements, { movimentacoes: [one] }));
    if (this.#succeeded(answer, 201, movements)) this.acknowledged.push(answer.body.data[0].id as number);
  }

  #succeeded({ status, body }: Answer, expected: number, path: string): boolean {
    if (status === expected) return true;
    this.refused.push(`${path}: ${status} ${JSON.stringify(body)}`);
    return false;
  }
}

/**
 * The answer to a request. A request that is refused for the moment is sent once more: a machine that stalls while a
 * migration holds a table keeps requests waiting for longer than they may.
 */
async function answered(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  if (answer.status !== 503) return answer;
  await sleep(Number(answer.headers.get('retry-after')) * 1000);
  return send();
}
