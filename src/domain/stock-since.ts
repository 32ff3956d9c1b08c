import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import { stockTexts } from './messages.ts';
import { effectsOf, EFETIVADA, type Movement } from './movement.ts';

/**
 * $1 has the cells that effective movements take from, with the `id` and `quantidade` of the movement. Returns what a
 * movement found in its cell when there was least, if it took more. Stock is counted back from today's. What moved at the
 * same time counts together.
 */
const SHORT_SINCE = `
select (min(held) + c.quantidade)::float8
from jsonb_to_recordset($1::jsonb) as c (
  "idLote" int, "idLocalFim" int, "idLocalArmazenado" int, id int, quantidade int
), lateral (
  select (
    select e.quantidade from estoque e
    where (e.id_lote, e.id_local_fim, e.id_local_armazenado) = (c."idLote", c."idLocalFim", c."idLocalArmazenado")
  ) - coalesce(sum(sum(side.delta)) over (order by m.data desc rows between unbounded preceding and 1 preceding), 0) as held
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao, lateral (
    select case m.fl_estorno when 'S' then -m.quantidade else m.quantidade end as effect
  ) x, lateral (values
    (t.exige_origem, m.id_local_origem_fim, m.id_local_origem_arm, -effect),
    (t.exige_destino, m.id_local_destino_fim, m.id_local_destino_arm, effect)
  ) as side (moves, fim, arm, delta)
  where m.id_lote = c."idLote" and m.id_status_movimentacao = ${EFETIVADA}
    and m.data >= (select data from movimentacao where id = c.id)
    and side.moves and (side.fim, side.arm) = (c."idLocalFim", c."idLocalArmazenado")
  group by m.data
) moment
group by c.id, c.quantidade having min(held) < 0 order by c.id limit 1`;

/**
 * Checks that movements, which have just taken effect, left no cell below zero at any moment since they were registered.
 * The transaction has locked the cells.
 * @throws INSUFFICIENT_STOCK
 */
export async function requireStockSince(
  em: EntityManager,
  movements: readonly (Movement & { id: number })[],
): Promise<void> {
  const taken = movements.flatMap(({ id, quantidade, ...movement }) =>
    effectsOf({ ...movement, quantidade })
      .filter(({ delta }) => delta < 0)
      .map(cell => ({ ...cell, id, quantidade })),
  );
  if (taken.length === 0) return;
  const [row] = await transactionReader(em).rows(SHORT_SINCE, [JSON.stringify(taken)]);
  if (!row) return;
  const held = Math.max(row[0] as number, 0);
  throw new AppError('INSUFFICIENT_STOCK', {
    detail: stockTexts.registeredTooEarly,
    errors: [{ field: 'idMovimentacao', message: stockTexts.heldSince(held) }],
  });
}
