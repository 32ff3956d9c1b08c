import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader, type Statement } from '../database/reader.ts';
import { LocksOutdated } from '../request/writing.ts';

/**
 * Records of the storeroom that others belong to. Triggers give them a new version when those change. Every write locks
 * them in this order, and those of one table by id, before it locks or changes what belongs to them. So no two writes
 * wait for each other.
 */
const ORDER = ['material', 'lote', 'nota_fiscal'] as const;

/** A record to lock. Without an id it is ignored. */
export type Owner = readonly [table: (typeof ORDER)[number], id: number | null | undefined];

/** Locks these records. */
export async function hold(em: EntityManager, owners: readonly Owner[]): Promise<void> {
  for (const table of ORDER) {
    const ids = owners.filter(([name, id]) => name === table && id != null).map(([, id]) => id);
    if (ids.length === 0) continue;
    const text = `select id from ${table} where id = any ($1::int[]) order by id for update`;
    await transactionReader(em).rows(text, [ids]);
  }
}

/**
 * Locks the records that a statement finds, as pairs of table and id. If it finds others when they are locked, the write
 * begins anew, because locks of these would come too late.
 */
export async function holdFound(em: EntityManager, { text, values }: Statement): Promise<void> {
  const find = (): Promise<unknown[][]> => transactionReader(em).rows(text, values);
  const found = await find();
  await hold(em, found as unknown as Owner[]);
  const held = new Set(found.map(String));
  if ((await find()).some(owner => !held.has(String(owner)))) throw new LocksOutdated();
}
