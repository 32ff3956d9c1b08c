import type { Flag } from '../entities/column.ts';
import type { FieldError } from '../errors.ts';
import type { Wanted } from '../database/turns.ts';
import { fieldMessages } from '../messages.ts';

/** Which sides each of the five kinds of movement has, by its id (contract 7). */
const SIDES: Readonly<Record<number, { origin: boolean; destination: boolean }>> = {
  1: { origin: false, destination: true },
  2: { origin: false, destination: true },
  3: { origin: true, destination: true },
  4: { origin: true, destination: false },
  5: { origin: true, destination: false },
};

/** Kinds of movement that the service registers by itself. */
export const ENTRADA = 1;
export const ENTRADA_AVULSA = 2;

/** Kinds by which something leaves stock for good. */
export const SAIDA = 4;
export const DESCARTE = 5;

/** States of a movement, by their ids. */
export const PENDENTE = 1;
export const EFETIVADA = 2;
const REJEITADA = 3;

/**
 * The state machine: what may become of a pending movement, and with it of its approval request. Level 3 decides;
 * approving changes stock, rejecting does not. From any other state there is no way (409 INVALID_STATE).
 */
export const decisions = {
  aprovar: { from: PENDENTE, to: EFETIVADA, request: 'A', changesStock: true },
  rejeitar: { from: PENDENTE, to: REJEITADA, request: 'R', changesStock: false },
} as const;

export type Decision = keyof typeof decisions;

/** Whoever answers for it (`fim`) and where it is stored (`arm`), on both sides. */
export interface Places {
  idLocalOrigemFim?: number | null;
  idLocalOrigemArm?: number | null;
  idLocalDestinoFim?: number | null;
  idLocalDestinoArm?: number | null;
}

/** What a movement says of stock. */
export interface Movement extends Places {
  idLote: number;
  idTipoMovimentacao: number;
  quantidade: number;
  flEstorno: Flag;
  observacao?: string | null;
  idNotaFiscal?: number | null;
  /** When it was registered, in ISO 8601, where that is known from elsewhere; now otherwise. */
  data?: string;
}

/** What tells cells of stock apart: the batch, the responsible location and the storage location. */
export interface StockCell {
  idLote: number;
  idLocalFim: number;
  idLocalArmazenado: number;
}

/** A signed change of one cell of stock. */
export interface Effect extends StockCell {
  delta: number;
}

/** What a movement with its places does to its one or two cells; a reversal does the opposite. */
export function effectsOf(movement: Movement): Effect[] {
  const { idLote, idTipoMovimentacao, quantidade, flEstorno } = movement;
  const { origin, destination } = SIDES[idTipoMovimentacao]!;
  const amount = flEstorno === 'S' ? -quantidade : quantidade;
  const at = (fim: number, arm: number | null | undefined, delta: number): Effect => ({
    idLote,
    idLocalFim: fim,
    idLocalArmazenado: arm ?? fim,
    delta,
  });
  return [
    ...(origin ? [at(movement.idLocalOrigemFim!, movement.idLocalOrigemArm, -amount)] : []),
    ...(destination ? [at(movement.idLocalDestinoFim!, movement.idLocalDestinoArm, amount)] : []),
  ];
}

export const cellKey = ({ idLote, idLocalFim, idLocalArmazenado }: StockCell): string =>
  `${idLote}:${idLocalFim}:${idLocalArmazenado}`;

/** Effects added up by cell, in the one order in which cells are ever locked; some may come to nothing. */
export function netEffects(effects: readonly Effect[]): Effect[] {
  const cells = new Map<string, Effect>();
  for (const effect of effects) {
    const known = cells.get(cellKey(effect));
    cells.set(cellKey(effect), known ? { ...known, delta: known.delta + effect.delta } : effect);
  }
  return [...cells.values()].toSorted(
    (a, b) => a.idLote - b.idLote || a.idLocalFim - b.idLocalFim || a.idLocalArmazenado - b.idLocalArmazenado,
  );
}

/** What movements lock: their cells of stock, and the batches that these are of. */
export function wantsOf(movements: readonly Movement[]): Wanted[] {
  const cells = movements.flatMap(movement => effectsOf(withStorage(movement))).map(cellKey);
  return [
    ...[...new Set(cells)].map(key => ['cell', key] as const),
    ...[...new Set(movements.map(({ idLote }) => idLote))].map(id => ['batch', id] as const),
  ];
}

/** The places that a movement of this kind lacks, or a transfer to where it comes from (contract 7). */
export function placeErrors(idTipoMovimentacao: number | undefined, places: Places): FieldError[] {
  const sides = SIDES[idTipoMovimentacao ?? 0];
  if (!sides) return [];
  const { idLocalOrigemFim: from, idLocalDestinoFim: to } = places;
  const errors: FieldError[] = [];
  if (sides.origin && from == null)
    errors.push({ field: 'idLocalOrigemFim', message: fieldMessages.required });
  if (sides.destination && to == null)
    errors.push({ field: 'idLocalDestinoFim', message: fieldMessages.required });
  const stays = from === to && (places.idLocalOrigemArm ?? from) === (places.idLocalDestinoArm ?? to);
  if (errors.length === 0 && sides.origin && sides.destination && stays)
    errors.push({ field: 'idLocalDestinoFim', message: fieldMessages.samePlace });
  return errors;
}

/** Whether a movement is of what must be in stock before, as that of a batch created with it cannot be. */
export const takesFromStock = ({
  idTipoMovimentacao,
  flEstorno,
}: Partial<Pick<Movement, 'idTipoMovimentacao' | 'flEstorno'>>): boolean =>
  flEstorno === 'S' || SIDES[idTipoMovimentacao ?? 0]?.origin === true;

/** Where nothing is said of storage, things are stored with whoever answers for them. */
export const withStorage = <T extends Places>(movement: T): T => ({
  ...movement,
  idLocalOrigemArm: movement.idLocalOrigemArm ?? movement.idLocalOrigemFim ?? null,
  idLocalDestinoArm: movement.idLocalDestinoArm ?? movement.idLocalDestinoFim ?? null,
});
