import type { Answer, Client } from './client.ts';
import { eventually } from './process.ts';

const movements = '/almoxarifadoquimicos/movimentacoes-estoque';

/** Somebody who reads all these paths in turn while others move stock, each as fast as it is answered. */
export class Load {
  /** Movements of which a client was told that they are done. */
  readonly acknowledged: number[] = [];
  reads = 0;
  /** What was answered by anything but success. */
  readonly refused: string[] = [];
  #stopping = false;
  readonly #running: Promise<unknown>;

  constructor(
    private readonly client: Client,
    paths: readonly string[],
  ) {
    const forever = async (work: (turn: number) => Promise<void>): Promise<void> => {
      for (let turn = 0; !this.#stopping; turn++) await work(turn);
    };
    this.#running = Promise.all([
      forever(turn => this.#read(paths[turn % paths.length]!)),
      forever(turn => this.#read(paths[((turn + paths.length / 2) % paths.length) | 0]!)),
      forever(() => this.#move(2, { id_local_destino_fim: 1 }, 2)),
      forever(() => this.#move(4, { id_local_origem_fim: 1 }, 1)),
    ]);
    // `stop` reports what went wrong.
    this.#running.catch(() => undefined);
  }

  /** Resolves when so many more reads and movements were answered. */
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
    if (this.#succeeded(await this.client.get(path), 200, path)) this.reads++;
  }

  async #move(id_tipo_movimentacao: number, where: object, quantidade: number): Promise<void> {
    const one = { id_lote: 112, id_tipo_movimentacao, ...where, quantidade, fl_estorno: 'N' };
    const answer = await this.client.post(movements, { movimentacoes: [one] });
    if (this.#succeeded(answer, 201, movements)) this.acknowledged.push(answer.body.data[0].id as number);
  }

  #succeeded({ status, body }: Answer, expected: number, path: string): boolean {
    if (status === expected) return true;
    this.refused.push(`${path}: ${status} ${JSON.stringify(body)}`);
    return false;
  }
}
