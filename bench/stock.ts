import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { newBatch } from '../src/domain/batches.ts';
import { postMovements } from '../src/domain/ledger.ts';
import { ENTRADA_AVULSA } from '../src/domain/movement.ts';
import { Empresa } from '../src/entities/almoxarifado/empresa.ts';
import { Local } from '../src/entities/almoxarifado/local.ts';
import { Pessoa } from '../src/entities/permissoes/pessoa.ts';

/** The first materials, which every bench has, and batches of each. */
const MATERIALS = 1000;
const BATCHES_EACH = 2;
/** A larger stock of each than a run can take out. */
const QUANTITY = 1_000_000;
const CODE = 'BENCH';

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
    const [maker, author] = [await anyOf(em, Empresa), await anyOf(em, Pessoa)];
    const batches = Array.from({ length: MATERIALS * BATCHES_EACH }, (_, i) => {
      const idLocal = locations[i % locations.length]!.id;
      const given = {
        idMaterial: 1 + (i % MATERIALS),
        idFabricante: maker.id,
        codLote: CODE,
        quantidade: QUANTITY,
        idLocal,
      };
      return newBatch(em, given, { criadoPor: author.id, alteradoPor: author.id });
    });
    await em.flush();
    const entries = batches.map(({ id, local, quantidade }) => ({
      idLote: id,
      idTipoMovimentacao: ENTRADA_AVULSA,
      idLocalDestinoFim: local!.id,
      quantidade,
      flEstorno: 'N' as const,
    }));
    await postMovements(em, entries, author.id);
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
