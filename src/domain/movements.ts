import type { EntityManager } from '@mikro-orm/postgresql';
import { mayAct } from '../access/session.ts';
import { Estoque } from '../entities/almoxarifado/estoque.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import type { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import type { ListArgs } from '../listing/args.ts';
import { recordList } from '../listing/list.ts';
import type { Page } from '../listing/page.ts';
import type { Call } from '../request/call.ts';
import { writingAs } from '../request/writing.ts';
import { refuseOtherBatches, type BatchIdentity } from './batch-identity.ts';
import { newBatch } from './batches.ts';
import { ofMovements } from './control-warnings.ts';
import { holdForEntries, linkEntries } from './invoice-links.ts';
import { makeCells, postMovements, registerMovements, type Rules } from './ledger.ts';
import { ENTRADA_AVULSA, locksOf, MOVEMENTS_CONTROLLER, type Movement, type StockCell } from './movement.ts';
import { warn } from './movement-warnings.ts';

/** A movement in a client's request, of an existing batch, which `lote` may repeat, or of one created with it. */
interface RequestedMovement extends Omit<Movement, 'idLote'> {
  idLote?: number | null;
  lote?: BatchIdentity | null;
}

/**
 * Registers movements, all or none, and returns them in the form of `list`.
 * @throws VALIDATION_FAILED for a `lote` that differs from the batch that is named beside it; INSUFFICIENT_STOCK
 */
export async function createMovements(
  call: Call,
  requested: readonly RequestedMovement[],
  list: ListArgs,
): Promise<Page<Movimentacao>> {
  const known = requested.filter((movement): movement is Movement => movement.idLote != null);
  return writingAs(call, { locks: locksOf(known) }, async em => {
    const { idPessoa } = await call.context.caller.presumedSession();
    await holdForEntries(em, requested);
    await refuseOtherBatches(em, requested);
    const created = new Map<RequestedMovement, Lote>();
    for (const movement of requested)
      if (movement.idLote == null) created.set(movement, batchFor(em, movement, idPessoa));
    await em.flush();
    const movements = requested.map(movement => ({
      ...movement,
      idLote: created.get(movement)?.id ?? movement.idLote!,
    }));
    const { ids: id, inMap } = await registerMovements(em, movements, idPessoa, await rulesFor(call));
    await linkEntries(em, movements, idPessoa);
    const page = await call.writtenPage(em, recordList<Movimentacao>(list, { id }));
    if (call.selection['data']?.['avisos']) {
      const withInvoice = movements.some(({ idNotaFiscal }) => idNotaFiscal != null);
      await warn(em, page.data, inMap ? ofMovements(withInvoice) : undefined, call);
    }
    return page;
  });
}

/** The rules that apply to the caller's movements besides those about stock. */
export async function rulesFor({ context }: Call): Promise<Rules> {
  return {
    onlyAsManager: !mayAct(await context.caller.presumedSession(), MOVEMENTS_CONTROLLER, 3),
    refusesExpired: context.services.config.EXPIRED_STOCK === 'refuse',
  };
}

function batchFor(em: EntityManager, movement: RequestedMovement, idPessoa: number): Lote {
  const { quantidade, idLocalDestinoFim, idLocalDestinoArm } = movement;
  const places = { idLocal: idLocalDestinoFim ?? null, idLocalDestino: idLocalDestinoArm ?? null };
  const authors = { criadoPor: idPessoa, alteradoPor: idPessoa };
  return newBatch(em, { ...movement.lote!, quantidade, ...places }, authors);
}

/** A quantity to be entered at a cell of stock. */
interface StockEntry extends StockCell {
  quantidade: number;
}

/** Enters stock and returns its cell. For a controlled material the cell changes only after approval (contract 7). */
export async function enterStock(call: Call, { quantidade, ...cell }: StockEntry): Promise<Estoque> {
  const { idPessoa } = await call.context.session();
  const { idLote, idLocalFim, idLocalArmazenado } = cell;
  const entry: Movement = {
    idLote,
    idTipoMovimentacao: ENTRADA_AVULSA,
    idLocalDestinoFim: idLocalFim,
    idLocalDestinoArm: idLocalArmazenado,
    quantidade,
    flEstorno: 'N',
  };
  return writingAs(call, { locks: locksOf([entry]) }, async em => {
    await makeCells(em, [cell], idPessoa);
    await postMovements(em, [entry], idPessoa);
    return (await call.written(em, Estoque, cell))!;
  });
}
