import { type BenchRequest, type Scenario } from './scenario.ts';
import type { Place, Stock } from './stock.ts';

/** Places that single movements take turns with. */
const PLACES = 200;

const CONSUMPTION = 4;
const OTHER_ENTRY = 2;

/** A consumption of one and an entry of one in turn, so that stock stays as it is. */
function movementOf({ idLote, idLocal }: Place, i: number): object {
  const side = i % 2 === 0 ? 'origem' : 'destino';
  return {
    id_lote: idLote,
    id_tipo_movimentacao: i % 2 === 0 ? CONSUMPTION : OTHER_ENTRY,
    [`id_local_${side}_fim`]: idLocal,
    quantidade: 1,
    fl_estorno: 'N',
  };
}

/** A request that registers one movement at each of these places. */
export const posting = (places: readonly Place[], token: string): BenchRequest => ({
  method: 'POST',
  path: '/almoxarifadoquimicos/movimentacoes-estoque',
  body: JSON.stringify({ movimentacoes: places.map(movementOf) }),
  headers: { token, 'content-type': 'application/json' },
});

/** Values that the server makes for each movement. */
const OWN = new Set(['id', 'criado_em', 'alterado_em', 'data']);

const withoutOwn = (answer: unknown): unknown => {
  const { data, ...page } = answer as { data: object[] };
  const kept = data.map(movement => Object.entries(movement).filter(([name]) => !OWN.has(name)));
  return { ...page, data: kept.map(entries => Object.fromEntries(entries)) };
};

/** Single movements: at places in turn, all at one place, and of batches whose movements wait for approval. */
export function movementScenarios(token: string, { free, controlled }: Stock) {
  const scenario = (places: Place[]): Scenario => {
    const requests = places.slice(0, PLACES).map(place => posting([place], token));
    return { service: requests, baseline: requests, comparable: withoutOwn };
  };
  return {
    'rest.movement': scenario(free),
    'movement.hot': scenario(free.slice(0, 1)),
    'movement.pending': scenario(controlled),
  };
}
