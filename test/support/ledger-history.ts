import fc from 'fast-check';
import type { Answer, Client } from './client.ts';
import { cell, type Cells, type MovementBody } from './ledger-model.ts';
import { makePlace } from './make.ts';
import type { TestService } from './service.ts';
import { makeBatch, movementsOf, paths, type Body } from './stock.ts';

/** A movement to request: of the plain batch (0) or the controlled one (1), between locations by index. */
interface Asked {
  batch: number;
  kind: number;
  from: number;
  to: number;
  quantity: number;
  reversal: boolean;
}

/** One request of a history. `which` selects one of the movements known at that time. */
export type Step =
  | { act: 'post'; asked: Asked[] }
  | { act: 'put'; which: number; asked: Asked }
  | { act: 'undo'; which: number; quantity: number }
  | { act: 'delete' | 'approve' | 'reject'; which: number };

const asked: fc.Arbitrary<Asked> = fc.record({
  batch: fc.nat(1),
  kind: fc.integer({ min: 1, max: 5 }),
  from: fc.nat(3),
  to: fc.nat(3),
  quantity: fc.integer({ min: 1, max: 20 }),
  reversal: fc.boolean(),
});
const which = fc.nat(11);
const deciding = fc.constantFrom(
  'delete' as const,
  'reject' as const,
  'approve' as const,
  'approve' as const,
);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('post' as const),
      asked: fc.array(asked, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('put' as const), which, asked }) },
  { weight: 4, arbitrary: fc.record({ act: deciding, which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('undo' as const),
      which,
      quantity: fc.integer({ min: 1, max: 20 }),
    }),
  },
);

/** The body that undoes this quantity of a movement. */
export const undoing = (body: MovementBody, quantidade: number): MovementBody => ({
  ...body,
  quantidade,
  fl_estorno: 'S',
});

/** A movement that a client knows, in the form of its request. */
export interface Known {
  id: number;
  tag: string;
  body: MovementBody;
}

/** The data of a history: two batches and three locations that nothing else uses. */
export class Stage {
  private constructor(
    private readonly service: TestService,
    private readonly batches: readonly number[],
    private readonly places: readonly { fim: number; arm: number | null }[],
    /** The entries of the two batches. The second one is pending. */
    readonly entries: readonly Known[],
  ) {}

  static async set(service: TestService): Promise<Stage> {
    const [a, b, c] = [await makePlace(service), await makePlace(service), await makePlace(service)].map(
      ({ id }) => id,
    ) as [number, number, number];
    const batches: Body[] = [];
    for (const controlado of [false, true])
      batches.push(await makeBatch(service, { controlado, quantidade: 40, id_local: a }));
    const entries = (await Promise.all(batches.map(({ id }) => movementsOf(service, id)))).flat();
    return new Stage(
      service,
      batches.map(({ id }) => id as number),
      // The last one is the same as the first, with all fields.
      [
        { fim: a, arm: null },
        { fim: b, arm: null },
        { fim: c, arm: b },
        { fim: a, arm: a },
      ],
      entries.map(body => ({ id: body.id as number, tag: '', body })),
    );
  }

  isControlled = (body: MovementBody): boolean => body.id_lote === this.batches[1];

  /** The body that requests a movement. */
  body({ batch, kind, from, to, quantity, reversal }: Asked): MovementBody {
    const origin = [3, 4, 5].includes(kind) ? this.places[from] : undefined;
    const destination = [1, 2, 3].includes(kind) ? this.places[to] : undefined;
    return {
      id_lote: this.batches[batch]!,
      id_tipo_movimentacao: kind,
      id_local_origem_fim: origin?.fim ?? null,
      id_local_origem_arm: origin?.arm ?? null,
      id_local_destino_fim: destination?.fim ?? null,
      id_local_destino_arm: destination?.arm ?? null,
      quantidade: quantity,
      fl_estorno: reversal ? 'S' : 'N',
    };
  }

  /** The stored stock of the two batches. */
  async cells(): Promise<Cells> {
    const rows = await this.service.sql(
      'select id_lote, id_local_fim, id_local_armazenado, quantidade from estoque where id_lote = any($1) and quantidade <> 0',
      [this.batches],
    );
    return Object.fromEntries(
      (rows as [number, number, number, number][]).map(([lote, fim, arm, quantity]) => [
        cell(lote, fim, arm),
        quantity,
      ]),
    );
  }

  /** Their movements as stored in the ledger, each with its approval request (`P`, `A`, `R`; null without one). */
  async ledger(): Promise<Row[]> {
    const rows = await this.service.sql(
      `select to_json(m), s.situacao from movimentacao m left join solicitacao_aprovacao s on s.id_movimentacao = m.id
       where m.id_lote = any($1) order by m.id`,
      [this.batches],
    );
    return rows.map(([movement, situacao]) => ({
      ...(movement as Row),
      situacao: situacao as string | null,
    }));
  }
}

export interface Row extends MovementBody {
  id: number;
  /** 1 pending, 2 effective, 3 rejected. */
  id_status_movimentacao: number;
  observacao: string | null;
  situacao: string | null;
}

export const register = (client: Client, bodies: readonly MovementBody[], tag = ''): Promise<Answer> =>
  client.post(paths.movements, { movimentacoes: bodies.map(body => ({ ...body, observacao: tag })) });

export const rewrite = (client: Client, id: number, body: MovementBody, observacao = ''): Promise<Answer> =>
  client.put(`${paths.movements}/${id}`, { ...body, observacao });

/** Approves, rejects or deletes a movement. */
export function settle(client: Client, act: 'approve' | 'reject' | 'delete', id: number): Promise<Answer> {
  if (act === 'delete') return client.delete(`${paths.movements}/${id}`);
  return client.post(`${paths.approvals}${act === 'reject' ? '?rejeitar=true' : ''}`, {
    id_movimentacao: id,
  });
}
