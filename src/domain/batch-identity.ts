import type { EntityManager } from '@mikro-orm/postgresql';
import { mayAct } from '../access/session.ts';
import { transactionReader } from '../database/reader.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { AppError, invalid, type FieldError } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { isSameValue, type BatchData } from './batches.ts';
import { stockTexts } from './messages.ts';

/** Level 2 on this controller changes any batch. */
const BATCHES_CONTROLLER = 'almoxarifadoquimicos/lotes';

/** What a batch is, as another record's input says it. */
export type BatchIdentity = Pick<BatchData, 'idMaterial' | 'idFabricante' | 'codLote' | 'dataVenc'>;

/** The fields of `given` that differ from those of the batch. Absent fields do not. */
export function differing(
  { material, fabricante, codLote, dataVenc }: Lote,
  given: Partial<BatchIdentity>,
): (keyof BatchIdentity)[] {
  const own = { idMaterial: material.id, idFabricante: fabricante.id, codLote, dataVenc };
  const fields = Object.keys(own) as (keyof BatchIdentity)[];
  return fields.filter(field => given[field] !== undefined && !isSameValue(given[field], own[field]));
}

/**
 * Errors for `lote` beside the id of a batch, where it is not that batch. Null says nothing: many clients send it for what
 * nobody has set. `path`: of `lote` in the input.
 */
export const otherBatch = (lote: Lote, given: BatchIdentity, path: string): FieldError[] =>
  differing(lote, said(given)).map(field => ({
    field: `${path}.${field}`,
    message: stockTexts.otherBatch(lote.id),
  }));

const said = (given: BatchIdentity): Partial<BatchIdentity> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => !isSameValue(value, null)));

/** A movement that names a batch, and may say what that is. */
interface Naming {
  idLote?: number | null;
  lote?: BatchIdentity | null;
}

/**
 * Compares what new movements say of batches that exist.
 * @throws VALIDATION_FAILED
 */
export async function refuseOtherBatches(em: EntityManager, movements: readonly Naming[]): Promise<void> {
  const naming = [...movements.entries()].filter(([, { idLote, lote }]) => idLote != null && lote);
  if (naming.length === 0) return;
  const found = await em.find(Lote, { id: naming.map(([, { idLote }]) => idLote!) });
  const batches = new Map(found.map(batch => [batch.id, batch]));
  const errors = naming.flatMap(([at, { idLote, lote }]) => {
    const batch = batches.get(idLote!);
    return batch ? otherBatch(batch, lote!, `movimentacoes[${at}].lote`) : [];
  });
  if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
}

/** Batches that were registered in one transaction with the movement $2, or with a movement of the invoice $3. */
const BROUGHT = `
select l.id from lote l
where l.id = any ($1::int[]) and exists (
  select from movimentacao m
  where m.id_lote = l.id and m.criado_em = l.criado_em and (m.id = $2 or m.id_nota_fiscal = $3)
)`;

/** The record that changes what a batch is, because it names the batch. */
interface Through {
  idMovimentacao?: number;
  idNotaFiscal?: number;
}

/** A batch and the changed fields, as paths in the input. */
interface ChangedBatch {
  lote: Lote;
  fields: readonly string[];
}

/**
 * Requires the right to change what batches are. A movement or an invoice brought a batch that was registered together
 * with it, and its right suffices; to name one that was there before is no such right.
 * @throws FORBIDDEN with the fields of the others, without level 2 on batches
 */
export async function requireIdentityRight(
  em: EntityManager,
  changed: readonly ChangedBatch[],
  { idMovimentacao, idNotaFiscal }: Through,
  call: Call,
): Promise<void> {
  const others = changed.filter(({ fields }) => fields.length > 0);
  if (others.length === 0 || mayAct(await call.context.session(), BATCHES_CONTROLLER, 2)) return;
  const ids = others.map(({ lote }) => lote.id);
  const values = [ids, idMovimentacao ?? null, idNotaFiscal ?? null];
  const brought = new Set((await transactionReader(em).rows(BROUGHT, values)).flat());
  const errors = others
    .filter(({ lote }) => !brought.has(lote.id))
    .flatMap(({ fields }) => fields.map(field => ({ field, message: stockTexts.changed })));
  if (errors.length > 0) throw new AppError('FORBIDDEN', { detail: stockTexts.othersBatch, errors });
}
