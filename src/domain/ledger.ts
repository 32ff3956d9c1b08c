import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, conflict } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { stockTexts } from './messages.ts';
import { DECIDE, MAKE_CELLS, POST, POST_UNDOING, RULES } from './ledger-statements.ts';
import {
  cellKey,
  decisions,
  effectsOf,
  leftBy,
  netEffects,
  takesToUse,
  withStorage,
  type Decision,
  type Effect,
  type Movement,
  type StockCell,
} from './movement.ts';
import { requireStockSince } from './stock-since.ts';

/**
 * Only this code changes stock. Every function runs inside the caller's transaction, in a fixed number of statements
 * for any number of movements.
 *
 * Cells come last in the order of locks (docs/architecture.md): by batch, responsible location and storage location. So
 * opposite transfers cannot deadlock.
 */

/** A cell with too little stock, and its current quantity. */
type Short = StockCell & { quantidade: number };

/** The input of a statement: the changes of cells, and further work in the same statement. */
interface Document {
  cells: readonly Effect[];
  movements?: readonly Movement[];
  /** Locations that stock leaves, if the person must be their manager. */
  leaves?: readonly number[];
  decided?: object;
}

/** The result of a statement that changes cells. `more` is what it finds besides: `Registered` or `Decided`. */
type Answer = [missing: StockCell[], short: Short[], ids: number[], ...more: unknown[]];

/** What statements find that register movements. */
type Registered = [restricted: string[], expired: number[], inMap: boolean];
/** What a decision finds. `own`: whether the person is an author of one of the movements. */
type Decided = [own: boolean, expired: number[], late: number[]];

/** Rules for a person's movements besides those about stock. Without it, nothing is checked. */
export interface Rules {
  /** Whether the person must be a manager of restricted locations to take stock out of them. */
  onlyAsManager: boolean;
  /** Whether an expired batch may leave only if the movement says so (`cienteVencimento`). */
  refusesExpired: boolean;
}

/** Movements that were registered. */
interface RegisteredMovements {
  ids: number[];
  /** Whether the monthly map of controlled chemicals reports one of them. */
  inMap: boolean;
}

/** Changes cells with a statement. Missing cells are created first. */
async function apply(
  em: EntityManager,
  statement: string,
  document: Document,
  idPessoa: number,
): Promise<{ short: Short[]; ids: number[]; more: unknown[] }> {
  const values = [JSON.stringify(document), idPessoa];
  for (;;) {
    const [row] = await transactionReader(em).rows(statement, values);
    const [missing, short, ids, ...more] = row as Answer;
    if (missing.length === 0) return { short, ids, more };
    await makeCells(em, missing, idPessoa);
  }
}

/**
 * Registers movements, all or none. Movements of controlled materials wait for approval; the others change stock at
 * once. A reversal undoes the movement that it names, or else the newest effective movements of the same batch, type
 * and locations.
 * @returns their ids in the given order
 * @throws FORBIDDEN for a restricted location and CONFLICT for an expired batch, if `rules` say so; INSUFFICIENT_STOCK,
 * which names the movements without enough stock; NOT_REVERSIBLE, which says how much of each reversal is possible
 */
export async function registerMovements(
  em: EntityManager,
  movements: readonly Movement[],
  idPessoa: number,
  { onlyAsManager, refusesExpired }: Rules = { onlyAsManager: false, refusesExpired: false },
): Promise<RegisteredMovements> {
  const placed = movements.map(one => ({ ...withStorage(one), takesToUse: takesToUse(one) }));
  const cells = netEffects(placed.flatMap(effectsOf));
  const statement = placed.some(({ idEstornada }) => idEstornada != null) ? POST_UNDOING : POST;
  const leaves = onlyAsManager ? placed.flatMap(leftBy) : [];
  const document = { cells, movements: placed, leaves };
  const { short, ids, more } = await apply(em, statement, document, idPessoa);
  const [restricted, expired, inMap] = more as Registered;
  if (restricted.length > 0) throw restrictedPlaces(restricted);
  const unaware = expired.filter(i => !placed[i]!.cienteVencimento);
  if (refusesExpired && unaware.length > 0)
    throw expiredBatch(unaware.map(i => `movimentacoes[${i}].cienteVencimento`));
  if (short.length > 0) throw insufficient(movements, short);
  return { ids, inMap };
}

/** Registers movements, and returns only their ids. */
export const postMovements = async (...posting: Parameters<typeof registerMovements>): Promise<number[]> =>
  (await registerMovements(...posting)).ids;

/** Creates missing cells, with quantity 0. */
export async function makeCells(
  em: EntityManager,
  cells: readonly StockCell[],
  idPessoa: number,
): Promise<void> {
  await transactionReader(em).rows(MAKE_CELLS, [JSON.stringify(cells), idPessoa]);
}

/** How a person decides. */
interface Deciding {
  motivo: string | null;
  idPessoa: number;
  /** Whether nobody decides what they registered or changed (contract 10). */
  refusesOwn?: boolean;
  refusesExpired?: boolean;
}

/**
 * Approves or rejects pending movements that the transaction has locked, all or none. Changes their state, their approval
 * requests and the stock together. A movement counts in the month in which it was registered. If that is over, there must
 * have been enough stock ever since.
 * @returns the ids of their approval requests
 * @throws FORBIDDEN if `refusesOwn`, INSUFFICIENT_STOCK, and CONFLICT for an expired batch if `refusesExpired`; then they
 * stay pending
 */
export async function decide(
  em: EntityManager,
  decision: Decision,
  movements: readonly (Movement & { id: number })[],
  { motivo, idPessoa, refusesOwn = false, refusesExpired = false }: Deciding,
): Promise<number[]> {
  if (movements.length === 0) return [];
  const { to, request, changesStock } = decisions[decision];
  const cells = changesStock ? netEffects(movements.flatMap(effectsOf)) : [];
  const decided = { movimentacoes: movements.map(({ id }) => id), to, request, motivo };
  const {
    short: [short],
    ids,
    more,
  } = await apply(em, DECIDE, { cells, decided }, idPessoa);
  const [own, expired, late] = more as Decided;
  if (refusesOwn && own) throw decidedByAuthor();
  if (short)
    throw new AppError('INSUFFICIENT_STOCK', { errors: [lacking('idMovimentacao', short.quantidade)] });
  if (refusesExpired && expired.length > 0) throw conflict(stockTexts.expiredWhileWaiting);
  const registeredEarlier = movements.filter(({ id }) => late.includes(id));
  if (registeredEarlier.length > 0) await requireStockSince(em, registeredEarlier);
  return ids;
}

/** The error of a person who registered or changed a movement, and decides it. */
export const decidedByAuthor = (): AppError => new AppError('FORBIDDEN', { detail: stockTexts.twoPersons });

const restrictedPlaces = (names: readonly string[]): AppError =>
  new AppError('FORBIDDEN', { detail: stockTexts.restrictedPlaces(names) });

const expiredBatch = (fields: readonly string[]): AppError =>
  conflict(
    stockTexts.batchExpired,
    fields.map(field => ({ field, message: stockTexts.confirmExpiry })),
  );

/**
 * Checks the rules for a pending movement that has changed. Returns whether its batch has expired. `dataVenc`: the last day
 * of the batch, if it is not stored yet.
 * @throws FORBIDDEN for a restricted location, CONFLICT for an expired batch
 */
export async function checkRules(
  em: EntityManager,
  movement: Movement,
  idPessoa: number,
  { onlyAsManager, refusesExpired }: Rules,
  dataVenc?: string | null,
): Promise<boolean> {
  const document = { leaves: onlyAsManager ? leftBy(movement) : [], idLote: movement.idLote, dataVenc };
  const [row] = await transactionReader(em).rows(RULES, [JSON.stringify(document), idPessoa]);
  const [restricted, isExpired] = row as [string[], boolean];
  if (restricted.length > 0) throw restrictedPlaces(restricted);
  const leavesExpired = isExpired && takesToUse(movement);
  if (refusesExpired && leavesExpired && !movement.cienteVencimento) throw expiredBatch(['cienteVencimento']);
  return leavesExpired;
}

const lacking = (field: string, held: number) => ({ field, message: stockTexts.inStock(held) });

/** The error that names each movement that takes from a cell with too little stock. */
function insufficient(movements: readonly Movement[], short: readonly Short[]): AppError {
  const held = new Map(short.map(cell => [cellKey(cell), cell.quantidade]));
  const errors = movements.flatMap((movement, i) => {
    const effect = effectsOf(movement).find(one => one.delta < 0 && held.has(cellKey(one)));
    return effect ? [lacking(`movimentacoes[${i}].quantidade`, held.get(cellKey(effect))!)] : [];
  });
  return new AppError('INSUFFICIENT_STOCK', { errors });
}
