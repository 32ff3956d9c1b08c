import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { newBatch } from '../src/domain/batches.ts';
import { postMovements } from '../src/domain/ledger.ts';
import { ENTRADA_AVULSA } from '../src/domain/movement.ts';
import { Empresa } from '../src/entities/almoxarifado/empresa.ts';
import { Local } from '../src/entities/almoxarifado/local.ts';
import type { Lote } from '../src/entities/almoxarifado/lote.ts';
import { Pessoa } from '../src/entities/permissoes/pessoa.ts';

/** The first materials, which every bench has, and batches of each. */
const MATERIALS = 1000;
const BATCHES_EACH = 2;
/** A larger stock of each than a run can take out. */
const QUANTITY = 1_000_000;
const CODE = 'BENCH';
/** Purpose of the movements at all locations, as the monthly map numbers them. */
const PURPOSE = 1;
/** Further batches of the first materials, and movements of each, so that nested pages are full. */
const FULL = { materials: 10, batches: 8, movements: 10, code: 'BENCH-2' };

/** A batch where it arrived. */
export interface Place {
  idLote: number;
  idLocal: number;
}

/** Places with batches to move: batches that move at once, and batches that wait for approval. */
export interface Stock {
  free: Place[];
  controlled: Place[];
}

const anyOf = async <T extends object>(em: EntityManager, entity: new () => T): Promise<T> =>
  (await em.find(entity, {}, { limit: 1 }))[0]!;

/** Gives the first materials batches, which the ledger enters at the locations in turn. */
export async function fillStock(orm: MikroORM): Promise<void> {
  await orm.em.fork().transactional(async em => {
    const locations = await em.find(Local, {});
    // Otherwise the service warns at each exit of a controlled product, which the baseline does not.
    for (const location of locations) location.finalidade = PURPOSE;
    const [maker, author] = [await anyOf(em, Empresa), await anyOf(em, Pessoa)];
    const batch = (i: number, materials: number, codLote: string, quantidade: number): Lote => {
      const idLocal = locations[i % locations.length]!.id;
      const given = { idMaterial: 1 + (i % materials), idFabricante: maker.id, codLote, quantidade, idLocal };
      return newBatch(em, given, { criadoPor: author.id, alteradoPor: author.id });
    };
    const batches = Array.from({ length: MATERIALS * BATCHES_EACH }, (_, i) =>
      batch(i, MATERIALS, CODE, QUANTITY),
    );
    const full = Array.from({ length: FULL.materials * FULL.batches }, (_, i) =>
      batch(i, FULL.materials, FULL.code, FULL.movements),
    );
    await em.flush();
    const entry = ({ id, local }: Lote, quantidade: number) => ({
      idLote: id,
      idTipoMovimentacao: ENTRADA_AVULSA,
      idLocalDestinoFim: local!.id,
      quantidade,
      flEstorno: 'N' as const,
    });
    await postMovements(
      em,
      batches.map(made => entry(made, made.quantidade)),
      author.id,
    );
    for (let i = 0; i < FULL.movements; i++)
      await postMovements(
        em,
        full.map(made => entry(made, 1)),
        author.id,
      );
  });
}

const STOCK = `
select l.id as "idLote", l.id_local as "idLocal", coalesce(c.exige_aprovacao, false) as controlled
from lote l join material m on m.id = l.id_material left join tipo_controle c on c.id = m.id_tipo_controle
where l.cod_lote = $1 order by l.id`;

export async function readStock(client: Client): Promise<Stock> {
  const { rows } = await client.query<Place & { controlled: boolean }>(STOCK, [CODE]);
  return { free: rows.filter(row => !row.controlled), controlled: rows.filter(row => row.controlled) };
}
