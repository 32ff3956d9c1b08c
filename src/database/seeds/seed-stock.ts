import type { EntityManager } from '@mikro-orm/postgresql';
import { entryOf, linkInvoice, newBatch } from '../../domain/batches.ts';
import { decide, postMovements } from '../../domain/ledger.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import type { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { Dice } from './demo-chance.ts';
import { demoMovements, type DemoMovement, type EnteredBatch } from './demo-movements.ts';
import { demoArrivals, demoLaboratories, demoStoreroom, type DemoArrival } from './demo-stock.ts';

/** The latest requests, which nobody has decided yet. */
const PENDING = 8;

/** Requests are as old as their movements, and were decided within the hour. */
const DATE_REQUESTS = `
update solicitacao_aprovacao s set criado_em = m.data, solicitado_em = m.data,
  decidido_em = case when s.situacao <> 'P' then m.data + interval '5 minutes' * (1 + s.id % 12) end
from movimentacao m where m.id = s.id_movimentacao`;

/** Batches and invoices were entered when the first movement with them was. */
const dateBy = (table: string, link: string): string => `
update ${table} r set criado_em = m.data
from (select ${link}, min(data) as data from movimentacao group by 1) m where m.${link} = r.id`;

/** A year of the demo's storeroom: what arrived, and what became of it. The storekeeper asks, the administrator decides. */
export async function seedStock(em: EntityManager, people: ReadonlyMap<string, Pessoa>): Promise<void> {
  const [storekeeper, administrator] = [people.get('almoxarife')!.id, people.get('admin')!.id];
  const [{ today }] = await em.execute<[{ today: string }]>('select current_date::text as today');
  const dice = new Dice(2026);
  const places = new Map((await em.find(Local, {})).map(local => [local.sigla, local.id]));
  const entered = await seedArrivals(em, demoArrivals(today, dice), places, storekeeper);
  const ends = {
    storeroom: places.get(demoStoreroom)!,
    laboratories: demoLaboratories.map(sigla => places.get(sigla)!),
  };
  const movements = demoMovements(entered, ends, today, dice);
  const ids = await postMovements(em, movements, storekeeper);
  await decideRequests(
    em,
    movements.map((movement, i) => ({ ...movement, id: ids[i]! })),
    administrator,
  );
  await em.execute(DATE_REQUESTS);
  await em.execute(dateBy('lote', 'id_lote'));
  await em.execute(dateBy('nota_fiscal', 'id_nota_fiscal'));
}

async function seedArrivals(
  em: EntityManager,
  arrivals: readonly DemoArrival[],
  places: ReadonlyMap<string | null, number>,
  idPessoa: number,
): Promise<EnteredBatch[]> {
  const materials = new Map((await em.find(Material, {})).map(material => [material.titulo, material.id]));
  const companies = new Map((await em.find(Empresa, {})).map(empresa => [empresa.nome, empresa]));
  const authors = { criadoPor: idPessoa, alteradoPor: idPessoa };
  const made = arrivals.flatMap(({ invoice, batches }) => {
    const nota =
      invoice &&
      em.create(NotaFiscal, {
        ...invoice,
        fornecedor: companies.get(invoice.fornecedor)!,
        transportadora: companies.get(invoice.transportadora)!,
        ...authors,
      });
    return batches.map(batch => {
      const { codLote, dataVenc, quantidade, motivo } = batch;
      const idLocal = places.get(batch.local)!;
      const ids = {
        idMaterial: materials.get(batch.material)!,
        idFabricante: companies.get(batch.fabricante)!.id,
        idLocal,
      };
      const lote = newBatch(em, { ...ids, codLote, dataVenc, quantidade }, authors);
      lote.motivo = motivo;
      if (nota) linkInvoice(em, lote, nota);
      return { batch, lote, nota };
    });
  });
  await em.flush();
  return made.map(({ batch, lote, nota }) => ({ batch, entry: entryOf(lote, nota?.id ?? null) }));
}

async function decideRequests(
  em: EntityManager,
  movements: readonly (DemoMovement & { id: number })[],
  idPessoa: number,
): Promise<void> {
  for (const movement of movements.filter(one => one.controlled).slice(0, -PENDING)) {
    const { motivo } = movement;
    await decide(em, motivo === null ? 'aprovar' : 'rejeitar', movement, { motivo, idPessoa });
  }
}
