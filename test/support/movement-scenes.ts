import { afterEach, beforeEach } from 'vitest';
import type { Answer, Client } from './client.ts';
import { expectBalanced } from './ledger.ts';
import { makePlace } from './make.ts';
import type { TestService } from './service.ts';
import { makeBatch, movementsOf, paths, stockAt, type Body } from './stock.ts';

/** A batch of 100 at `here`, where it is also stored, and another location `there`. */
class FreeBatch {
  batch!: Body;
  here!: number;
  there!: number;

  constructor(private readonly service: () => TestService) {}

  async set(): Promise<void> {
    this.batch = await makeBatch(this.service());
    this.here = this.batch.id_local;
    this.there = (await makePlace(this.service())).id;
  }

  /** The body of a movement out of `here`: by default a consumption. */
  from = (quantidade: number, id_tipo_movimentacao = 4) => ({
    id_lote: this.batch.id,
    id_tipo_movimentacao,
    id_local_origem_fim: this.here,
    quantidade,
    fl_estorno: 'N',
  });

  /** The body of a movement into `there`: by default an entry without invoice. */
  into = (quantidade: number, id_tipo_movimentacao = 2) => ({
    id_lote: this.batch.id,
    id_tipo_movimentacao,
    id_local_destino_fim: this.there,
    quantidade,
    fl_estorno: 'N',
  });

  transfer = (quantidade: number) => ({ ...this.from(quantidade, 3), id_local_destino_fim: this.there });

  /** The quantities at `here` and `there`. */
  stock = async (): Promise<(number | null)[]> => [
    await stockAt(this.service(), this.batch.id, this.here),
    await stockAt(this.service(), this.batch.id, this.there),
  ];
}

/** A batch of 100 of a controlled material, and its pending entry. The administrator decides. */
class WaitingEntry {
  batch!: Body;
  entry!: Body;

  constructor(private readonly service: () => TestService) {}

  async set(): Promise<void> {
    this.batch = await makeBatch(this.service(), { controlado: true });
    [this.entry] = await movementsOf(this.service(), this.batch.id);
  }

  approve = async (id: number, client?: Client): Promise<Answer> =>
    (client ?? (await this.#administrator())).post(paths.approvals, { id_movimentacao: id });

  reject = async (id: number, motivo?: unknown): Promise<Answer> =>
    (await this.#administrator()).post(`${paths.approvals}?rejeitar=true`, { id_movimentacao: id, motivo });

  stock = (): Promise<number | null> => stockAt(this.service(), this.batch.id, this.batch.id_local);

  statusOf = async (id: number): Promise<number> =>
    (await (await this.#administrator()).get(`${paths.movements}/${id}`)).body.id_status_movimentacao;

  #administrator(): Promise<Client> {
    return this.service().as('admin');
  }
}

/** Creates the scene again before each test, and checks afterwards that the ledger balances. */
function useScene<T extends { set(): Promise<void> }>(scene: T, service: () => TestService): T {
  beforeEach(() => scene.set());
  afterEach(() => expectBalanced(service()));
  return scene;
}

export const useFreeBatch = (service: () => TestService): FreeBatch =>
  useScene(new FreeBatch(service), service);

export const useWaitingEntry = (service: () => TestService): WaitingEntry =>
  useScene(new WaitingEntry(service), service);
