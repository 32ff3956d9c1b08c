import { describe, expect, test } from 'vitest';
import { addDays, Dice } from '../src/database/seeds/demo-chance.ts';
import { demoMovements, type DemoMovement } from '../src/database/seeds/demo-movements.ts';
import { demoArrivals } from '../src/database/seeds/demo-stock.ts';
import { cellKey, effectsOf, ENTRADA } from '../src/domain/movement.ts';

describe('a year of the demo stock', () => {
  const places = { storeroom: 1, laboratories: [2, 3, 4, 5, 6] };
  const yearTo = (today: string): DemoMovement[] => {
    const dice = new Dice(7);
    const batches = demoArrivals(today, dice).flatMap(arrival => arrival.batches);
    const entered = batches.map((batch, i) => ({
      batch,
      entry: {
        idLote: i + 1,
        idTipoMovimentacao: ENTRADA,
        idLocalDestinoFim: places.storeroom,
        quantidade: batch.quantidade,
        flEstorno: 'N' as const,
      },
    }));
    return demoMovements(entered, places, today, dice);
  };
  const facts = (today: string): string[] =>
    yearTo(today)
      .map(({ idLote, quantidade }) => `${quantidade} of ${idLote}`)
      .toSorted((a, b) => a.localeCompare(b));

  test.each(['2026-11-21', '2027-01-01', '2027-10-12', '2028-02-29', '2029-03-04'])(
    'takes nothing that is not there and lies within the year before %s',
    today => {
      const held = new Map<string, number>();
      for (const movement of yearTo(today)) {
        const day = movement.data.slice(0, 10);
        expect(day > addDays(today, -365) && day < today, day).toBe(true);
        if (movement.motivo !== null) continue;
        for (const effect of effectsOf(movement)) {
          const quantidade = (held.get(cellKey(effect)) ?? 0) + effect.delta;
          held.set(cellKey(effect), quantidade);
          expect(quantidade).toBeGreaterThanOrEqual(0);
        }
      }
    },
  );

  test('is the same year whenever it is made', () => {
    expect(facts('2026-11-21')).toEqual(facts('2026-11-21'));
    expect(facts('2027-05-02')).toEqual(facts('2026-11-21'));
  });
});
