import { isUndoneBy, staysInPlace, LedgerModel, type MovementBody } from './ledger-model.ts';
import { undoing, type Known, type Stage, type Step } from './ledger-history.ts';

type State = 'pending' | 'effective' | 'rejected' | 'deleted';
const statuses: Record<State, number | undefined> = {
  pending: 1,
  effective: 2,
  rejected: 3,
  deleted: undefined,
};

/** A movement with its current state. */
interface Tracked extends Known {
  state: State;
  /** The quantity that is neither reversed nor reserved. */
  left: number;
  /** The movements that it undoes, if it is a reversal. */
  undoes: [undone: Tracked, quantity: number][];
}

/** The request of a step, and the expected answer if no other client works at the same time. */
export type Task = { answer: string } & (
  | { act: 'post'; bodies: MovementBody[] }
  | { act: 'put'; id: number; body: MovementBody }
  | { act: 'delete' | 'approve' | 'reject'; id: number }
);

/** Predicts each answer for a single client, and the resulting movements. */
export class Clerk {
  readonly #stock = new LedgerModel();
  readonly #known: Tracked[] = [];

  constructor(private readonly stage: Stage) {
    for (const entry of stage.entries) this.#register(entry.id, entry.body);
    this.#stock.book(stage.entries.map(({ body }) => body).filter(body => !stage.isControlled(body)));
  }

  get cells() {
    return this.#stock.cells;
  }

  /** Ids and statuses of the existing movements. */
  get movements(): [id: number, status: number][] {
    return this.#known.flatMap(({ id, state }) => {
      const status = statuses[state];
      return status === undefined ? [] : [[id, status]];
    });
  }

  /** Applies a step to the model. `created` returns the ids of new movements. */
  foresee(step: Step): Task {
    if (step.act === 'post') {
      const bodies = step.asked.map(asked => this.stage.body(asked));
      return { act: 'post', bodies, answer: this.#post(bodies) };
    }
    // The latest ones, because most earlier ones are already decided.
    const movement = this.#known.at(-1 - (step.which % this.#known.length))!;
    const { id } = movement;
    if (step.act === 'undo') {
      const bodies = [undoing(movement.body, step.quantity)];
      return { act: 'post', bodies, answer: this.#post(bodies) };
    }
    if (step.act !== 'put') return { act: step.act, id, answer: this.#settle(movement, step.act) };
    const body = this.stage.body({ ...step.asked, kind: movement.body.id_tipo_movimentacao });
    return { act: 'put', id, body, answer: this.#rewrite(movement, body) };
  }

  created(ids: readonly number[], bodies: readonly MovementBody[]): void {
    bodies.forEach((body, i) => this.#register(ids[i]!, body));
  }

  #register(id: number, body: MovementBody): void {
    const movement = this.#tracked(id, body);
    this.#known.push(movement);
    reserve(movement, this.#known);
  }

  #tracked(id: number, body: MovementBody): Tracked {
    const state = this.stage.isControlled(body) ? 'pending' : 'effective';
    return { id, tag: '', body, state, left: body.quantidade, undoes: [] };
  }

  #post(bodies: MovementBody[]): string {
    if (bodies.some(staysInPlace)) return '422 VALIDATION_FAILED';
    const effective = bodies.filter(body => !this.stage.isControlled(body));
    if (!this.#stock.covers(effective)) return '409 INSUFFICIENT_STOCK';
    // Tried on copies, because they are registered only when their ids are known.
    const known: Tracked[] = this.#known.map(movement => ({ ...movement, undoes: [] }));
    for (const body of bodies) {
      const movement = this.#tracked(Infinity, body);
      known.push(movement);
      if (!reserve(movement, known)) return '409 NOT_REVERSIBLE';
    }
    this.#stock.book(effective);
    return '201';
  }

  #rewrite(movement: Tracked, body: MovementBody): string {
    if (movement.state === 'deleted') return '404 NOT_FOUND';
    if (movement.state !== 'pending') return '409 INVALID_STATE';
    if (staysInPlace(body)) return '422 VALIDATION_FAILED';
    const before = movement.body;
    release(movement);
    movement.body = body;
    movement.left = body.quantidade;
    if (reserve(movement, this.#known)) return '200';
    movement.body = before;
    movement.left = before.quantidade;
    reserve(movement, this.#known);
    return '409 NOT_REVERSIBLE';
  }

  #settle(movement: Tracked, act: 'delete' | 'approve' | 'reject'): string {
    if (movement.state === 'deleted') return act === 'delete' ? '404 NOT_FOUND' : '422 VALIDATION_FAILED';
    if (movement.state !== 'pending') return '409 INVALID_STATE';
    if (act === 'approve' && !this.#stock.book([movement.body])) return '409 INSUFFICIENT_STOCK';
    if (act !== 'approve') release(movement);
    movement.state = act === 'approve' ? 'effective' : act === 'reject' ? 'rejected' : 'deleted';
    return '200';
  }
}

/** Reserves what a reversal undoes, newest first. Reserves nothing and returns false if there is not enough. */
function reserve(movement: Tracked, known: readonly Tracked[]): boolean {
  if (movement.body.fl_estorno === 'N') return true;
  const before = known.slice(0, known.indexOf(movement)).toReversed();
  const undone = before.filter(({ state, body }) => state === 'effective' && isUndoneBy(body, movement.body));
  let missing = movement.body.quantidade;
  for (const one of undone) {
    const quantity = Math.min(missing, one.left);
    if (quantity === 0) continue;
    missing -= quantity;
    one.left -= quantity;
    movement.undoes.push([one, quantity]);
  }
  if (missing > 0) release(movement);
  return missing === 0;
}

function release(movement: Tracked): void {
  for (const [undone, quantity] of movement.undoes.splice(0)) undone.left += quantity;
}
