import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import {
  register,
  rewrite,
  settle,
  undoing,
  type Known,
  type Row,
  type Stage,
  type Step,
} from './ledger-history.ts';
import { LedgerModel, type MovementBody } from './ledger-model.ts';

/** The answers that clients received about one movement. */
interface Story extends Known {
  /** Acknowledged changes, by their tags. */
  rewritten: Map<string, MovementBody>;
  /** Acknowledged decisions and deletions. There may be at most one. */
  ends: ('approve' | 'reject' | 'delete')[];
}

/** The columns of a movement that concern stock, for comparison with the request. */
const asked = (row: MovementBody): MovementBody => ({
  id_lote: row.id_lote,
  id_tipo_movimentacao: row.id_tipo_movimentacao,
  id_local_origem_fim: row.id_local_origem_fim,
  id_local_origem_arm: row.id_local_origem_arm ?? row.id_local_origem_fim,
  id_local_destino_fim: row.id_local_destino_fim,
  id_local_destino_arm: row.id_local_destino_arm ?? row.id_local_destino_fim,
  quantidade: row.quantidade,
  fl_estorno: row.fl_estorno,
});

/**
 * Clients that work at the same time, so that no answer can be predicted. All answers are recorded, and compared with
 * the ledger at the end (`expectAcknowledged`). Every movement contains the tag of the request that created it and of
 * the last that changed it.
 */
export class ConcurrentClients {
  readonly stories: Story[];
  #requests = 0;

  constructor(private readonly stage: Stage) {
    this.stories = stage.entries.map(entry => ({ ...entry, rewritten: new Map(), ends: [] }));
  }

  async perform(client: Client, step: Step): Promise<void> {
    const tag = `request ${++this.#requests}`;
    if (step.act === 'post')
      return this.#post(
        client,
        step.asked.map(one => this.stage.body(one)),
        tag,
      );
    const story = this.stories.at(-1 - (step.which % this.stories.length))!;
    if (step.act === 'undo') return this.#post(client, [undoing(story.body, step.quantity)], tag);
    if (step.act === 'put') {
      const body = this.stage.body({ ...step.asked, kind: story.body.id_tipo_movimentacao });
      if (succeeded(await rewrite(client, story.id, body, tag))) story.rewritten.set(tag, body);
    } else if (succeeded(await settle(client, step.act, story.id))) story.ends.push(step.act);
  }

  async #post(client: Client, bodies: MovementBody[], tag: string): Promise<void> {
    const answer = await register(client, bodies, tag);
    if (!succeeded(answer)) return;
    const ids = (answer.body.data as { id: number }[]).map(({ id }) => id);
    for (const [i, body] of bodies.entries())
      this.stories.push({ id: ids[i]!, tag, body, rewritten: new Map(), ends: [] });
  }
}

/**
 * Checks that everything acknowledged is stored exactly once, that nothing else is stored, and that stock is the sum of
 * the effective movements.
 */
export async function expectAcknowledged(stage: Stage, stories: readonly Story[]): Promise<void> {
  const ledger = await stage.ledger();
  const standing = stories.filter(({ ends }) => !ends.includes('delete'));
  expect(ledger.map(({ id }) => id)).toEqual(standing.map(({ id }) => id).toSorted((a, b) => a - b));
  for (const story of stories)
    expectStory(
      story,
      stage.isControlled(story.body),
      ledger.find(({ id }) => id === story.id),
    );
  const book = new LedgerModel();
  expect(book.book(ledger.filter(row => row.id_status_movimentacao === 2))).toBe(true);
  expect(await stage.cells()).toEqual(book.cells);
}

function expectStory(
  { body, tag, rewritten, ends }: Story,
  wasControlled: boolean,
  row: Row | undefined,
): void {
  expect(ends.length, 'acknowledged ends of one movement').toBeLessThanOrEqual(wasControlled ? 1 : 0);
  if (!row) return;
  const remark = row.observacao ?? '';
  expect(rewritten.size > 0 ? [...rewritten.keys()] : [tag]).toContain(remark);
  expect(asked(row)).toEqual(asked(rewritten.get(remark) ?? body));
  const [end] = ends;
  const undecided = wasControlled ? [1, 'P'] : [2, null];
  const expected = end === 'approve' ? [2, 'A'] : end === 'reject' ? [3, 'R'] : undecided;
  expect([row.id_status_movimentacao, row.situacao]).toEqual(expected);
}

/** Whether a request succeeded. If not, checks that the reason of the refusal is allowed. */
function succeeded({ status, body }: Answer): boolean {
  expect([200, 201, 404, 409, 422], JSON.stringify(body)).toContain(status);
  return status < 300;
}
