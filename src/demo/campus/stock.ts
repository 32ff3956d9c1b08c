import type { EntityManager } from '@mikro-orm/postgresql';
import { newBatch } from '../../domain/batches.ts';
import { linkInvoice } from '../../domain/invoice-links.ts';
import { decide, postMovements } from '../../domain/ledger.ts';
import { SAIDA } from '../../domain/movement.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { movementsOf, type Batch, type DatedMovement } from './movements.ts';
import type { Random } from './random.ts';
import type { CampusSize } from './size.ts';
import { addDays } from '../calendar.ts';

/** Records or movements of one transaction. */
const PER_TRANSACTION = 2_000;

/** Runs work in a transaction of its own. */
export type Transaction = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;
type Progress = (done: number) => void;

export interface Keepers {
  storekeeper: number;
  administrator: number;
}

/** Days of history. */
const HISTORY = 1_800;

export interface Invoice {
  id: number;
  /** When its goods were received, in milliseconds since 1970. */
  received: number;
}

/** Invoices, each of one supplier and one carrier. */
export async function seedInvoices(
  transaction: Transaction,
  random: Random,
  { invoices }: CampusSize,
  today: string,
  { storekeeper }: Keepers,
): Promise<Invoice[]> {
  const author = { criadoPor: storekeeper, alteradoPor: storekeeper };
  return transaction(async em => {
    const companies = await em.find(Empresa, {}, { populate: ['tipoEmpresa'], orderBy: { id: 'asc' } });
    const of = (kind: string): Empresa[] =>
      companies.filter(({ tipoEmpresa }) => tipoEmpresa.descricao === kind);
    const [suppliers, carriers] = [of('Fornecedor'), of('Transportadora')];
    const made = Array.from({ length: invoices }, (_, i) => {
      const issued = random.from(30, HISTORY);
      const received = addDays(today, -issued + random.from(1, 9));
      return em.create(NotaFiscal, {
        numeroNf: String(300_000 + i),
        fornecedor: random.of(suppliers),
        transportadora: random.of(carriers),
        dataEmissao: addDays(today, -issued),
        dataRecebimento: received,
        criadoEm: new Date(received),
        processoSei:
          i % 3 ? null : `23080.${String(i).padStart(6, '0')}/2025-${String(i % 97).padStart(2, '0')}`,
        linkNf: null,
        ...author,
      });
    });
    await em.flush();
    return made.map(({ id, dataRecebimento }) => ({ id, received: Date.parse(dataRecebimento!) }));
  });
}

/** Batches of random materials, most of them bought with an invoice. */
export async function seedBatches(
  transaction: Transaction,
  random: Random,
  { batches }: CampusSize,
  {
    today,
    invoices,
    storerooms,
  }: { today: string; invoices: readonly Invoice[]; storerooms: readonly number[] },
  { storekeeper }: Keepers,
  progress: Progress,
): Promise<Batch[]> {
  const author = { criadoPor: storekeeper, alteradoPor: storekeeper };
  const { materials, makers } = await transaction(async em => ({
    materials: await em.find(Material, {}, { populate: ['tipoControle'], orderBy: { id: 'asc' } }),
    makers: await em.find(Empresa, { tipoEmpresa: { descricao: 'Fabricante' } }, { orderBy: { id: 'asc' } }),
  }));
  const all: Batch[] = [];
  for (let from = 0; from < batches; from += PER_TRANSACTION) {
    const made = await transaction(async em => {
      const some = Array.from({ length: Math.min(PER_TRANSACTION, batches - from) }, (_, i) => {
        const material = random.of(materials);
        const storeroom = random.of(storerooms);
        const invoice = random.happens(0.8) ? random.of(invoices) : undefined;
        const begin = invoice?.received ?? Date.parse(addDays(today, -random.from(30, HISTORY)));
        const lote = newBatch(
          em,
          {
            idMaterial: material.id,
            idFabricante: random.of(makers).id,
            idLocal: storeroom,
            codLote: `C${String(from + i).padStart(6, '0')}/${random.from(20, 26)}`,
            dataVenc: random.happens(0.1) ? null : addDays(today, random.from(-400, 1_500)),
            quantidade: random.from(20, 400),
          },
          author,
        );
        lote.criadoEm = new Date(begin);
        if (invoice) linkInvoice(em, lote, em.getReference(NotaFiscal, invoice.id));
        return {
          lote,
          idNotaFiscal: invoice?.id ?? null,
          begin,
          storeroom,
          controlled: material.tipoControle?.exigeAprovacao === true,
        };
      });
      await em.flush();
      return some.map(({ lote, ...of }) => ({ ...of, idLote: lote.id, quantidade: lote.quantidade }));
    });
    all.push(...made);
    progress(all.length);
  }
  return all;
}

/** A movement that waits for approval. */
type PendingMovement = DatedMovement & { id: number };

const REQUESTS_FROM = `select id_movimentacao as id from solicitacao_aprovacao where id_movimentacao >= ?`;

/**
 * Posts the movements of all batches to the ledger, in order of time. Requests for approval are decided at once, as in a
 * storeroom; the latest ones still wait.
 */
export async function seedMovements(
  transaction: Transaction,
  random: Random,
  size: CampusSize,
  batches: readonly Batch[],
  { places, now }: { places: readonly number[]; now: number },
  { storekeeper, administrator }: Keepers,
  progress: Progress,
): Promise<void> {
  const [each, more] = [Math.floor(size.movements / batches.length), size.movements % batches.length];
  const all = batches
    .flatMap((batch, i) => movementsOf(random, batch, each + (i < more ? 1 : 0), places, now))
    .toSorted((a, b) => (a.data < b.data ? -1 : 1));
  const controlled = new Set(batches.filter(batch => batch.controlled).map(({ idLote }) => idLote));
  const undecided = all.filter(({ idLote }) => controlled.has(idLote)).length - size.waiting;
  let decided = 0;
  const post = async (em: EntityManager, some: readonly DatedMovement[]): Promise<void> => {
    if (some.length === 0) return;
    const ids = await postMovements(em, some, storekeeper);
    const requests = await em.execute<{ id: number }[]>(REQUESTS_FROM, [ids[0]]);
    const requested = new Set(requests.map(({ id }) => id));
    const waiting = some.map((movement, i): PendingMovement => ({ ...movement, id: ids[i]! }));
    const decidable = waiting
      .filter(({ id }) => requested.has(id))
      .slice(0, Math.max(undecided - decided, 0));
    decided += decidable.length;
    const isRefused = (movement: PendingMovement): boolean =>
      movement.idTipoMovimentacao === SAIDA && random.happens(0.03);
    const { aprovar = [], rejeitar = [] } = Object.groupBy(decidable, movement =>
      isRefused(movement) ? 'rejeitar' : 'aprovar',
    );
    await decide(em, 'aprovar', aprovar, { motivo: null, idPessoa: administrator });
    await decide(em, 'rejeitar', rejeitar, {
      motivo: 'Finalidade não informada',
      idPessoa: administrator,
    });
  };
  for (let from = 0; from < all.length; from += PER_TRANSACTION) {
    await transaction(async em => {
      let some: DatedMovement[] = [];
      for (const movement of all.slice(from, from + PER_TRANSACTION)) {
        // The movement that it reverses must have been posted before.
        if (movement.flEstorno === 'S') {
          await post(em, some);
          some = [];
        }
        some.push(movement);
      }
      await post(em, some);
    });
    progress(Math.min(from + PER_TRANSACTION, all.length));
  }
}

/** Ids of all places: storerooms first. */
export const placesOf = (transaction: Transaction, codes: readonly string[]): Promise<number[]> =>
  transaction(async em => {
    const found = new Map(
      (await em.find(Local, { sigla: { $in: [...codes] } })).map(({ sigla, id }) => [sigla, id]),
    );
    return codes.map(code => found.get(code)!);
  });
