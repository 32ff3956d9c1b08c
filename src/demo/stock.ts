import type { EntityManager } from '@mikro-orm/postgresql';
import { newBatch } from '../domain/batches.ts';
import { linkInvoice } from '../domain/invoice-links.ts';
import { decide, postMovements } from '../domain/ledger.ts';
import type { Movement } from '../domain/movement.ts';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { Local } from '../entities/almoxarifado/local.ts';
import type { Pessoa } from '../entities/permissoes/pessoa.ts';
import { demoRecords } from './files.ts';

/** How many of the latest requests stay pending. */
const PENDING = 8;

/** Requests are as old as their movements, and are decided within an hour. */
const DATE_REQUESTS = `
update solicitacao_aprovacao s set criado_em = m.data, solicitado_em = m.data,
  decidido_em = case when s.situacao <> 'P' then m.data + interval '5 minutes' * (1 + s.id % 12) end
from movimentacao m where m.id = s.id_movimentacao`;

/** Batches and invoices get the date of their first movement. */
const dateBy = (table: string, link: string): string => `
update ${table} r set criado_em = m.data
from (select ${link}, min(data) as data from movimentacao group by 1) m where m.${link} = r.id`;

type Read = (cell: string) => string;

/** A movement that waits for approval. With a `motivo` it will be rejected for that reason. */
type PendingMovement = Movement & { id: number; motivo: string };

/** One year of the storeroom: invoices, batches and movements. The storekeeper requests, the administrator decides. */
export async function seedStock(
  em: EntityManager,
  people: ReadonlyMap<string, Pessoa>,
  read: Read,
): Promise<void> {
  const [storekeeper, administrator] = [people.get('almoxarife')!.id, people.get('admin')!.id];
  const places = new Map((await em.find(Local, {})).map(local => [local.sigla, local.id]));
  const invoices = await seedInvoices(em, storekeeper, read);
  const batches = await seedBatches(em, invoices, places, storekeeper, read);
  await em.flush();
  await seedMovements(em, batches, invoices, places, { storekeeper, administrator }, read);
  await dateRequests(em);
  for (const statement of [dateBy('lote', 'id_lote'), dateBy('nota_fiscal', 'id_nota_fiscal')])
    await em.execute(statement);
}

/** Dates requests by their movements. */
export async function dateRequests(em: EntityManager): Promise<void> {
  await em.execute(DATE_REQUESTS);
}

async function seedInvoices(em: EntityManager, author: number, read: Read): Promise<Map<string, NotaFiscal>> {
  const companies = new Map((await em.find(Empresa, {})).map(empresa => [empresa.nome, empresa]));
  const rows = await demoRecords('notas-fiscais', read);
  return new Map(
    rows.map(row => [
      row['numero_nf']!,
      em.create(NotaFiscal, {
        numeroNf: row['numero_nf']!,
        fornecedor: companies.get(row['fornecedor']!)!,
        transportadora: companies.get(row['transportadora']!)!,
        dataEmissao: row['data_emissao']!,
        dataRecebimento: row['data_recebimento']!,
        processoSei: row['processo_sei']!,
        linkNf: row['link_nf']!,
        criadoPor: author,
        alteradoPor: author,
      }),
    ]),
  );
}

async function seedBatches(
  em: EntityManager,
  invoices: ReadonlyMap<string, NotaFiscal>,
  places: ReadonlyMap<string | null, number>,
  author: number,
  read: Read,
): Promise<Lote[]> {
  const materials = new Map((await em.find(Material, {})).map(material => [material.titulo, material.id]));
  const companies = new Map((await em.find(Empresa, {})).map(empresa => [empresa.nome, empresa.id]));
  const rows = await demoRecords('lotes', read);
  return rows.map(row => {
    const given = {
      idMaterial: materials.get(row['material']!)!,
      idFabricante: companies.get(row['fabricante']!)!,
      idLocal: places.get(row['local']!)!,
      codLote: row['cod_lote']!,
      dataVenc: row['data_venc']!,
      quantidade: Number(row['quantidade']),
    };
    const lote = newBatch(em, given, { criadoPor: author, alteradoPor: author });
    lote.motivo = row['motivo']!;
    const invoice = invoices.get(row['nota_fiscal'] ?? '');
    if (invoice) linkInvoice(em, lote, invoice);
    return lote;
  });
}

async function seedMovements(
  em: EntityManager,
  batches: readonly Lote[],
  invoices: ReadonlyMap<string, NotaFiscal>,
  places: ReadonlyMap<string | null, number>,
  { storekeeper, administrator }: { storekeeper: number; administrator: number },
  read: Read,
): Promise<void> {
  const rows = await demoRecords('movimentacoes', read);
  const movements = rows.map((row): Movement & { data: string } => {
    const place = (column: string): number | null => places.get(row[column]!) ?? null;
    return {
      idLote: batches[Number(row['lote']) - 1]!.id,
      idTipoMovimentacao: Number(row['tipo']),
      idLocalOrigemFim: place('origem_fim'),
      idLocalOrigemArm: place('origem_arm'),
      idLocalDestinoFim: place('destino_fim'),
      idLocalDestinoArm: place('destino_arm'),
      quantidade: Number(row['quantidade']),
      flEstorno: row['estorno'] as 'S' | 'N',
      idNotaFiscal: invoices.get(row['nota_fiscal'] ?? '')?.id ?? null,
      observacao: row['observacao']!,
      data: row['data']!,
    };
  });
  let waiting: PendingMovement[] = [];
  const post = async (chunk: readonly { movement: Movement; motivo: string }[]): Promise<void> => {
    if (chunk.length === 0) return;
    const ids = await postMovements(
      em,
      chunk.map(({ movement }) => movement),
      storekeeper,
    );
    const requests = await em.execute<{ id: number }[]>(
      'select id_movimentacao as id from solicitacao_aprovacao where id_movimentacao >= ?',
      [ids[0]],
    );
    const requested = new Set(requests.map(({ id }) => id));
    waiting.push(
      ...chunk
        .map(({ movement, motivo }, i) => ({ ...movement, id: ids[i]!, motivo }))
        .filter(({ id }) => requested.has(id)),
    );
  };
  const settle = async (those: readonly PendingMovement[]): Promise<void> => {
    for (const [motivo, some] of Map.groupBy(those, ({ motivo }) => motivo || null))
      await decide(em, motivo ? 'rejeitar' : 'aprovar', some, { motivo, idPessoa: administrator });
    waiting = waiting.filter(one => !those.includes(one));
  };
  let chunk: { movement: Movement; motivo: string }[] = [];
  for (const [i, movement] of movements.entries()) {
    if (movement.flEstorno === 'S') {
      // The movement that it reverses must be decided first.
      await post(chunk);
      chunk = [];
      await settle(waiting.filter(({ idLote }) => idLote === movement.idLote));
    }
    chunk.push({ movement, motivo: rows[i]!['rejeitada']! });
  }
  await post(chunk);
  await settle(waiting.slice(0, -PENDING));
}
