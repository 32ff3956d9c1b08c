import type { Flag } from '../entities/column.ts';
import type { FieldError } from '../errors.ts';
import type { Lock } from '../database/turns.ts';
import { fieldMessages } from '../messages.ts';
import { stockTexts } from './messages.ts';

/** Level 3 on this controller manages movements. */
export const MOVEMENTS_CONTROLLER = 'almoxarifadoquimicos/movimentacoes-estoque';

/** Ids of the types of movement (contract 7). */
export const ENTRADA = 1;
export const ENTRADA_AVULSA = 2;
export const TRANSFERENCIA = 3;
export const SAIDA = 4;
export const DESCARTE = 5;

/** SQL: the types that bring material into stock. */
export const ENTRADAS = `(${ENTRADA}, ${ENTRADA_AVULSA})`;
/** SQL: the types that take a batch away for use, unless they are reversals. */
export const PARA_USO = `(${TRANSFERENCIA}, ${SAIDA})`;
/** SQL: the types that remove material from stock for good. */
export const SAIDAS = `(${SAIDA}, ${DESCARTE})`;

/** Which sides each type of movement has. */
const SIDES: Readonly<Record<number, { origin: boolean; destination: boolean }>> = {
  [ENTRADA]: { origin: false, destination: true },
  [ENTRADA_AVULSA]: { origin: false, destination: true },
  [TRANSFERENCIA]: { origin: true, destination: true },
  [SAIDA]: { origin: true, destination: false },
  [DESCARTE]: { origin: true, destination: false },
};

/** Whether a movement brings material into stock: an entry that is not a reversal. */
export const isEntry = (idTipoMovimentacao: number, flEstorno: Flag): boolean =>
  (idTipoMovimentacao === ENTRADA || idTipoMovimentacao === ENTRADA_AVULSA) && flEstorno === 'N';

/** Ids of the states of a movement. */
export const PENDENTE = 1;
export const EFETIVADA = 2;
export const REJEITADA = 3;

/**
 * The state machine of movements: the transitions of a pending movement and its approval request. Level 3 decides.
 * Approving changes stock, rejecting does not. The other states are final (409 INVALID_STATE).
 */
export const decisions = {
  aprovar: { to: EFETIVADA, request: 'A', changesStock: true },
  rejeitar: { to: REJEITADA, request: 'R', changesStock: false },
} as const;

export type Decision = keyof typeof decisions;

/** Responsible location (`fim`) and storage location (`arm`) of both sides. */
export interface Places {
  idLocalOrigemFim?: number | null;
  idLocalOrigemArm?: number | null;
  idLocalDestinoFim?: number | null;
  idLocalDestinoArm?: number | null;
}

/** The part of a movement that concerns stock. */
export interface Movement extends Places {
  idLote: number;
  idTipoMovimentacao: number;
  quantidade: number;
  flEstorno: Flag;
  observacao?: string | null;
  finalidade?: number | null;
  idNotaFiscal?: number | null;
  /** Whether an expired batch may leave nevertheless. */
  cienteVencimento?: boolean | null;
  /** The movement that a reversal undoes. If it is absent, the database finds it. */
  idEstornada?: number | null;
  /** Time of registration in ISO 8601; now when absent. */
  data?: string;
}

/** Identifies a cell of stock: batch, responsible location and storage location. */
export interface StockCell {
  idLote: number;
  idLocalFim: number;
  idLocalArmazenado: number;
}

/** A signed change of one cell of stock. */
export interface Effect extends StockCell {
  delta: number;
}

/** The changes that a movement makes to its one or two cells. A reversal makes the opposite ones. */
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

/**
 * Locations that the movement takes stock out of: those that were responsible for it or stored it before the movement,
 * but not after it.
 */
export function leftBy(movement: Movement): number[] {
  const effects = effectsOf(withStorage(movement));
  const from = effects.filter(({ delta }) => delta < 0);
  const into = effects.filter(({ delta }) => delta > 0);
  return from.flatMap(cell =>
    [
      into.some(({ idLocalFim }) => idLocalFim === cell.idLocalFim) ? [] : [cell.idLocalFim],
      into.some(({ idLocalArmazenado }) => idLocalArmazenado === cell.idLocalArmazenado)
        ? []
        : [cell.idLocalArmazenado],
    ].flat(),
  );
}

/** Whether the movement takes a batch away for use. Expired batches should only be disposed of. */
export const takesToUse = ({
  idTipoMovimentacao,
  flEstorno,
}: Pick<Movement, 'idTipoMovimentacao' | 'flEstorno'>): boolean =>
  flEstorno === 'N' && [TRANSFERENCIA, SAIDA].includes(idTipoMovimentacao);

export const cellKey = ({ idLote, idLocalFim, idLocalArmazenado }: StockCell): string =>
  `${idLote}:${idLocalFim}:${idLocalArmazenado}`;

/** Adds up the changes by cell, in lock order. A sum may be zero. */
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

/** The locks of movements: their cells of stock, and the batches of these cells. */
export function locksOf(movements: readonly Movement[]): Lock[] {
  const cells = movements.flatMap(movement => effectsOf(withStorage(movement))).map(cellKey);
  return [
    ...[...new Set(cells)].map(key => ['cell', key] as const),
    ...[...new Set(movements.map(({ idLote }) => idLote))].map(id => ['batch', id] as const),
  ];
}

/** Errors for locations that this type of movement requires, and for a transfer to its own origin (contract 7). */
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
    errors.push({ field: 'idLocalDestinoFim', message: stockTexts.samePlace });
  return errors;
}

/** Whether the movement requires that its batch is already in stock. A batch created with the movement is not. */
export const takesFromStock = ({
  idTipoMovimentacao,
  flEstorno,
}: Partial<Pick<Movement, 'idTipoMovimentacao' | 'flEstorno'>>): boolean =>
  flEstorno === 'S' || SIDES[idTipoMovimentacao ?? 0]?.origin === true;

/** Fills in absent storage locations: by default they are the responsible locations. */
export const withStorage = <T extends Places>(movement: T): T => ({
  ...movement,
  idLocalOrigemArm: movement.idLocalOrigemArm ?? movement.idLocalOrigemFim ?? null,
  idLocalDestinoArm: movement.idLocalDestinoArm ?? movement.idLocalDestinoFim ?? null,
});
