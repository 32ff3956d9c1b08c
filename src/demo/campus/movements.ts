import {
  DESCARTE,
  ENTRADA,
  ENTRADA_AVULSA,
  SAIDA,
  TRANSFERENCIA,
  type Movement,
} from '../../domain/movement.ts';
import type { Random } from './random.ts';
import { DAY_MS } from '../calendar.ts';

/** A batch as its movements need it. */
export interface Batch {
  idLote: number;
  idNotaFiscal: number | null;
  /** Id of the place that receives it. */
  storeroom: number;
  quantidade: number;
  /** When it is received, in milliseconds since 1970. */
  begin: number;
  /** Whether its movements wait for approval. */
  controlled: boolean;
}

export type DatedMovement = Movement & { data: string };

/**
 * The movements of a batch, in order of time: its entry, then transfers to laboratories, consumption, disposal and a few
 * reversals. No movement takes more than the place has.
 */
export function movementsOf(
  random: Random,
  batch: Batch,
  count: number,
  laboratories: readonly number[],
  now: number,
): DatedMovement[] {
  const { idLote, idNotaFiscal, storeroom, controlled, begin } = batch;
  const moments = Array.from(
    { length: count },
    () => begin + random.next() * (now - begin - DAY_MS),
  ).toSorted((a, b) => a - b);
  moments[0] = begin;
  const stock = new Map<number, number>();
  const movements: DatedMovement[] = [];
  const add = (
    movement: Omit<Movement, 'idLote' | 'flEstorno'> & Partial<Pick<Movement, 'flEstorno'>>,
  ): void => {
    movements.push({
      idLote,
      flEstorno: 'N',
      ...movement,
      data: new Date(moments[movements.length]!).toISOString(),
    });
  };
  const change = (at: number, by: number): void => {
    stock.set(at, (stock.get(at) ?? 0) + by);
  };
  let undoable: { at: number; quantidade: number } | undefined;
  while (movements.length < count) {
    const held = [...stock].filter(([, left]) => left > 0);
    if (held.length === 0) {
      const isFirst = movements.length === 0;
      const quantidade = isFirst ? batch.quantidade : random.from(5, 50);
      const isBought = isFirst && idNotaFiscal !== null;
      add({
        idTipoMovimentacao: isBought ? ENTRADA : ENTRADA_AVULSA,
        idLocalDestinoFim: storeroom,
        quantidade,
        idNotaFiscal: isBought ? idNotaFiscal : null,
      });
      change(storeroom, quantidade);
      continue;
    }
    const [at, left] = random.of(held);
    if (undoable && !controlled && random.happens(0.008)) {
      add({
        idTipoMovimentacao: SAIDA,
        idLocalOrigemFim: undoable.at,
        quantidade: undoable.quantidade,
        flEstorno: 'S',
        observacao: 'Registrada por engano',
      });
      change(undoable.at, undoable.quantidade);
      undoable = undefined;
      continue;
    }
    const quantidade = random.from(1, Math.max(1, Math.ceil(left / 4)));
    if (at === storeroom && random.happens(0.7)) {
      const to = random.of(laboratories);
      add({ idTipoMovimentacao: TRANSFERENCIA, idLocalOrigemFim: at, idLocalDestinoFim: to, quantidade });
      change(to, quantidade);
    } else {
      const isDisposal = random.happens(0.06);
      add({ idTipoMovimentacao: isDisposal ? DESCARTE : SAIDA, idLocalOrigemFim: at, quantidade });
      undoable = isDisposal ? undoable : { at, quantidade };
    }
    change(at, -quantidade);
  }
  return movements;
}
