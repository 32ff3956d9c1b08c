import { effectsOf, netEffects, type Effect, type Movement } from '../../domain/movement.ts';
import { calendarDays, workingDaysBefore, type Dice } from './demo-chance.ts';
import type { DemoBatch } from './demo-stock.ts';

/** A movement with its day and hour. */
export interface DemoMovement extends Movement {
  data: string;
  /** Why approval is refused to it; null for those that have an effect. */
  motivo: string | null;
  /** Whether it needs approval. */
  controlled: boolean;
}

/** A batch with the movement by which it enters stock. */
export interface EnteredBatch {
  batch: DemoBatch;
  entry: Movement;
}

interface Places {
  storeroom: number;
  laboratories: readonly number[];
}

const [TRANSFERENCIA, SAIDA, DESCARTE] = [3, 4, 5] as const;
type Kind = typeof TRANSFERENCIA | typeof SAIDA | typeof DESCARTE;

/** What usually happens to what the storeroom has, to what a laboratory has, and to what has expired. */
const usual = {
  storeroom: [TRANSFERENCIA, TRANSFERENCIA, TRANSFERENCIA, SAIDA],
  laboratory: [SAIDA, SAIDA, SAIDA, SAIDA, SAIDA, SAIDA, TRANSFERENCIA, TRANSFERENCIA, DESCARTE],
  expired: [DESCARTE],
} as const;

const remarks: Readonly<Record<Kind, readonly string[]>> = {
  [TRANSFERENCIA]: [
    'Reposição do laboratório',
    'Pedido para a aula prática da semana',
    'Emprestado ao grupo de pesquisa',
    'Remanejado por falta de espaço no armário',
  ],
  [SAIDA]: [
    'Aula prática de Química Geral',
    'Preparo de soluções-estoque',
    'Síntese do projeto de iniciação científica',
    'Análise de rotina',
    'Dissertação de mestrado',
  ],
  [DESCARTE]: [
    'Recolhido pela empresa de resíduos perigosos',
    'Vencido; encaminhado à gestão de resíduos',
    'Frasco danificado no manuseio',
    'Contaminado; encaminhado à gestão de resíduos',
  ],
};

const reversals = ['Estorno: lançamento em duplicidade', 'Estorno: quantidade informada por engano'];

const refusals = [
  'Quantidade acima do limite mensal do laboratório.',
  'Falta a justificativa de uso exigida pelo órgão controlador.',
  'O projeto ainda não tem autorização para esta substância.',
];

/** What happened to these batches to this day, in the order in which it did; no place ever has less than nothing. */
export function demoMovements(
  entered: readonly EnteredBatch[],
  places: Places,
  today: string,
  dice: Dice,
): DemoMovement[] {
  const days = workingDaysBefore(today);
  return entered
    .flatMap(one => lifeOf(one, places, days, dice))
    .toSorted((a, b) => Date.parse(a.data) - Date.parse(b.data));
}

function lifeOf(
  { batch, entry }: EnteredBatch,
  places: Places,
  days: readonly string[],
  dice: Dice,
): DemoMovement[] {
  const life: DemoMovement[] = [];
  const happens = (movement: Movement, age: number): void => {
    const isRefused = batch.controlled && dice.chance(0.02);
    life.push({
      ...movement,
      data: `${days[age]}T${dice.between(10, 16)}:${dice.between(10, 59)}:00-03:00`,
      motivo: isRefused ? dice.pick(refusals) : null,
      controlled: batch.controlled,
    });
  };
  happens(entry, batch.age);
  const moments = Array.from({ length: 3 + Math.round(batch.age / 15) }, () =>
    dice.between(0, batch.age - 1),
  );
  // A batch moves once a day at most, so that the order of its movements is that of their days.
  for (const age of new Set(moments.toSorted((a, b) => b - a))) {
    const facts = life.filter(movement => movement.motivo === null).flatMap(effectsOf);
    const cells = netEffects(facts).filter(cell => cell.delta > 0);
    if (cells.length === 0) break;
    const last = life.length > 1 ? life.at(-1)! : undefined;
    const isReversed = dice.chance(0.05) && last?.flEstorno === 'N' && last.motivo === null;
    const movement = isReversed ? reversalOf(last, dice) : nextOf(batch, dice.pick(cells), places, age, dice);
    happens(movement, age);
  }
  return life;
}

const reversalOf = (movement: Movement, dice: Dice): Movement => ({
  ...movement,
  flEstorno: 'S',
  observacao: dice.pick(reversals),
});

function nextOf(batch: DemoBatch, cell: Effect, places: Places, age: number, dice: Dice): Movement {
  const { idLote, idLocalFim, idLocalArmazenado, delta: held } = cell;
  const hasExpired = batch.expiresIn !== null && batch.expiresIn < -calendarDays(age);
  const owner = idLocalFim === places.storeroom ? 'storeroom' : 'laboratory';
  const kind = dice.pick<Kind>(usual[hasExpired ? 'expired' : owner]);
  const most = Math.max(1, Math.floor(held / batch.portion / 3));
  return {
    idLote,
    idTipoMovimentacao: kind,
    idLocalOrigemFim: idLocalFim,
    idLocalOrigemArm: idLocalArmazenado,
    ...(kind === TRANSFERENCIA && destinationOf(idLocalFim, places, dice)),
    quantidade: dice.chance(0.06) ? held : batch.portion * dice.between(1, most),
    flEstorno: 'N',
    observacao: dice.chance(0.4) ? dice.pick(remarks[kind]) : null,
  };
}

/** Another location; some of what a laboratory answers for stays in the storeroom. */
function destinationOf(from: number, { storeroom, laboratories }: Places, dice: Dice): Partial<Movement> {
  const to = dice.pick([storeroom, ...laboratories].filter(id => id !== from));
  return { idLocalDestinoFim: to, idLocalDestinoArm: dice.chance(0.2) ? storeroom : to };
}
