import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { PoolClient } from 'pg';
import * as sql from './baseline-movement-sql.ts';
import { inTransaction, query } from './baseline-pool.ts';

/** Who calls, as the look-up of the session found. */
interface Caller {
  id_pessoa: number;
  id_sistema: number;
}

interface Movement {
  lote: number;
  tipo: number;
  from: [fim: number, arm: number] | undefined;
  to: [fim: number, arm: number] | undefined;
  quantidade: number;
  observacao: string | null;
  estorno: 'S' | 'N';
  nota: number | null;
}

/** An answer other than the movement. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const PENDING = 1;
const EFFECTIVE = 2;
const FOREIGN_KEY_VIOLATION = '23503';

const isId = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1;
const isAbsentOr = (value: unknown, check: (value: unknown) => boolean): boolean =>
  value == null || check(value);

function side(fim: unknown, arm: unknown): [number, number] | undefined {
  if (!isId(fim) || !isAbsentOr(arm, isId)) throw new Refused(422, 'VALIDATION_FAILED');
  return [fim, (arm as number | null | undefined) ?? fim];
}

/** The one movement of a body, checked. */
function movementIn(body: { movimentacoes?: Record<string, unknown>[] }): Movement {
  const [given, ...others] = body.movimentacoes ?? [];
  const {
    id_lote: lote,
    id_tipo_movimentacao: tipo,
    quantidade,
    observacao,
    fl_estorno,
    id_nota_fiscal,
  } = given ?? {};
  const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 500;
  const isRight = isId(lote) && isId(tipo) && tipo <= 5 && isId(quantidade) && isAbsentOr(observacao, isText);
  if (!given || others.length > 0 || !isRight || !isAbsentOr(id_nota_fiscal, isId))
    throw new Refused(422, 'VALIDATION_FAILED');
  if (fl_estorno !== 'S' && fl_estorno !== 'N') throw new Refused(422, 'VALIDATION_FAILED');
  return {
    lote,
    tipo,
    from: tipo >= 3 ? side(given['id_local_origem_fim'], given['id_local_origem_arm']) : undefined,
    to: tipo <= 3 ? side(given['id_local_destino_fim'], given['id_local_destino_arm']) : undefined,
    quantidade,
    observacao: (observacao as string | null | undefined) ?? null,
    estorno: fl_estorno,
    nota: (id_nota_fiscal as number | null | undefined) ?? null,
  };
}

async function changeStock(client: PoolClient, movement: Movement, idPessoa: number): Promise<void> {
  const { lote, from, to, quantidade, estorno } = movement;
  const amount = estorno === 'S' ? -quantidade : quantidade;
  const changes = [
    ...(from ? [{ at: from, delta: -amount }] : []),
    ...(to ? [{ at: to, delta: amount }] : []),
  ].toSorted((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  for (const { at, delta } of changes) {
    const key = [lote, ...at];
    let [cell] = (await query(sql.lockCell, key, client)).rows;
    if (!cell && delta > 0) {
      await query(sql.makeCell, [...key, idPessoa], client);
      [cell] = (await query(sql.lockCell, key, client)).rows;
    }
    if (!cell || cell.quantidade + delta < 0) throw new Refused(409, 'INSUFFICIENT_STOCK');
    await query(sql.changeCell, [cell.id, cell.quantidade + delta, idPessoa], client);
  }
}

/** Registers a movement and answers its row with everything that it links to. */
async function register(client: PoolClient, movement: Movement, idPessoa: number) {
  const { lote, tipo, from, to, quantidade, observacao, estorno, nota } = movement;
  const [batch] = (await query(sql.isControlled, [lote], client)).rows;
  if (!batch) throw new Refused(422, 'VALIDATION_FAILED');
  if (!batch.controlled) await changeStock(client, movement, idPessoa);
  const status = batch.controlled ? PENDING : EFFECTIVE;
  const places = [from?.[0], from?.[1], to?.[0], to?.[1]];
  const values = [lote, tipo, status, ...places, quantidade, observacao, estorno, nota, idPessoa];
  const { id } = (await query(sql.insertMovement, values, client)).rows[0];
  if (batch.controlled) await query(sql.insertRequest, [id, idPessoa], client);
  return (await query(sql.readMovement, [id], client)).rows[0];
}

/** Registers one movement and answers the page with it. */
export async function createMovement(req: Request, res: Response): Promise<void> {
  const { id_pessoa, id_sistema } = res.locals['caller'] as Caller;
  try {
    const movement = movementIn(req.body);
    const row = await inTransaction(async client => {
      await query(sql.sayWho, [String(id_pessoa), String(id_sistema), req.ip, randomUUID()], client);
      return register(client, movement, id_pessoa);
    });
    res
      .status(201)
      .json({ data: [sql.restMovement(row)], total: 1, page: 1, itemsPerPage: 1, totalPages: 1 });
  } catch (error) {
    const unknownId = (error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION;
    const refused = unknownId ? new Refused(422, 'VALIDATION_FAILED') : error;
    if (!(refused instanceof Refused)) throw error;
    res.status(refused.status).json({ code: refused.message });
  }
}
