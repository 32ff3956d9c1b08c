/** The stock-related fields of a movement, in the format of REST. */
export interface MovementBody {
  id_lote: number;
  id_tipo_movimentacao: number;
  id_local_origem_fim: number | null;
  id_local_origem_arm: number | null;
  id_local_destino_fim: number | null;
  id_local_destino_arm: number | null;
  quantidade: number;
  fl_estorno: 'S' | 'N';
}

/** Quantities by batch, responsible and storage location. Empty cells are left out. */
export type Cells = Record<string, number>;

export const cell = (lote: number, fim: number, arm: number | null): string => `${lote}:${fim}:${arm ?? fim}`;

const ENTRIES = new Set([1, 2]);
const TRANSFER = 3;
const EXITS = new Set([4, 5]);

/** A simple model of the storeroom in memory, written only from the contract. */
export class LedgerModel {
  #cells = new Map<string, number>();

  get cells(): Cells {
    return Object.fromEntries([...this.#cells].filter(([, quantity]) => quantity !== 0));
  }

  /** Applies movements, all or none. Returns whether there was enough stock. */
  book(movements: readonly MovementBody[]): boolean {
    if (!this.covers(movements)) return false;
    this.#cells = this.#after(movements);
    return true;
  }

  /** Whether there is enough stock for movements. */
  covers(movements: readonly MovementBody[]): boolean {
    return [...this.#after(movements).values()].every(quantity => quantity >= 0);
  }

  #after(movements: readonly MovementBody[]): Map<string, number> {
    const after = new Map(this.#cells);
    for (const movement of movements)
      for (const [key, change] of changes(movement)) after.set(key, (after.get(key) ?? 0) + change);
    return after;
  }
}

function changes(movement: MovementBody): [cell: string, change: number][] {
  const { id_lote, id_tipo_movimentacao: kind, quantidade, fl_estorno } = movement;
  const origin = cell(id_lote, movement.id_local_origem_fim!, movement.id_local_origem_arm);
  const destination = cell(id_lote, movement.id_local_destino_fim!, movement.id_local_destino_arm);
  const forward = fl_estorno === 'N' ? quantidade : -quantidade;
  if (ENTRIES.has(kind)) return [[destination, forward]];
  if (EXITS.has(kind)) return [[origin, -forward]];
  if (kind !== TRANSFER) throw new Error(`no such kind of movement: ${kind}`);
  return [
    [origin, -forward],
    [destination, forward],
  ];
}

/** Whether a reversal may undo a movement: it has the same batch, type and locations, and is not a reversal. */
export const isUndoneBy = (movement: MovementBody, reversal: MovementBody): boolean =>
  movement.fl_estorno === 'N' &&
  movement.id_tipo_movimentacao === reversal.id_tipo_movimentacao &&
  placesOf(movement) === placesOf(reversal);

const placesOf = (movement: MovementBody): string =>
  [
    cell(movement.id_lote, movement.id_local_origem_fim!, movement.id_local_origem_arm),
    cell(movement.id_lote, movement.id_local_destino_fim!, movement.id_local_destino_arm),
  ].join();

/** Whether a transfer has the same origin and destination, which is refused. */
export const staysInPlace = (movement: MovementBody): boolean =>
  movement.id_tipo_movimentacao === TRANSFER &&
  cell(0, movement.id_local_origem_fim!, movement.id_local_origem_arm) ===
    cell(0, movement.id_local_destino_fim!, movement.id_local_destino_arm);
