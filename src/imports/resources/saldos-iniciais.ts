import type { EntityManager } from '@mikro-orm/postgresql';
import { GRAPHQL_MAX_INT } from 'graphql';
import { postMovements } from '../../domain/ledger.ts';
import { ENTRADA_AVULSA, ENTRADAS, MOVEMENTS_CONTROLLER, SAIDAS } from '../../domain/movement.ts';
import { Estoque } from '../../entities/almoxarifado/estoque.ts';
import { wholeNumber } from '../formats.ts';
import { Importable, type Rule } from '../importable.ts';
import { AUTHOR } from '../sql.ts';

/**
 * The first movement of each cell of these batches. Its quantity is the opening stock if it is an entry, and otherwise
 * 0. It is looked up in the movements, because a movement of a controlled material is pending and has not changed stock
 * yet. Places that its type does not use are stored as clients sent them, and do not count.
 */
const OPENED = `select distinct on (id_lote, id_local_fim, id_local_armazenado) * from (
    select id, id_lote, id_local_destino_fim as id_local_fim, id_local_destino_arm as id_local_armazenado,
      case when id_tipo_movimentacao in ${ENTRADAS} and fl_estorno = 'N' then quantidade else 0 end as quantidade
    from movimentacao
    where id_lote in (select id_lote from linha_lida) and id_tipo_movimentacao not in ${SAIDAS}
      and id_status_movimentacao <> 3
    union all
    select id, id_lote, id_local_origem_fim, id_local_origem_arm, 0 from movimentacao
    where id_lote in (select id_lote from linha_lida) and id_tipo_movimentacao not in ${ENTRADAS}
      and id_status_movimentacao <> 3
  ) side order by id_lote, id_local_fim, id_local_armazenado, id`;

const opensOnce: Rule = {
  columns: ['quantidade'],
  expected: {
    pt: 'a quantidade com que este local abriu, que só uma movimentação corrige',
    en: 'the quantity with which this place opened, which only a movement corrects',
  },
  broken: 't.quantidade <> s.quantidade',
};

/** Whether a batch `l` has not arrived yet: it has no quantity, or whatever gave it one was rejected. */
const NOT_ARRIVED = `(l.quantidade = 0 or not exists (
    select from movimentacao m where m.id_lote = l.id and m.id_status_movimentacao <> 3
  ))`;

/** The sum of a file becomes the quantity of a batch that has not arrived yet. */
const fitsBatch: Rule = {
  columns: ['id_lote', 'quantidade'],
  expected: {
    pt: `uma soma de no máximo ${GRAPHQL_MAX_INT} para o lote`,
    en: `a sum of at most ${GRAPHQL_MAX_INT} for the batch`,
  },
  broken: `s.id_lote in (
    select o.id_lote from linha_lida o join lote l on l.id = o.id_lote where ${NOT_ARRIVED}
    group by o.id_lote having sum(o.quantidade) > ${GRAPHQL_MAX_INT}
  )`,
};

interface Opening {
  id_lote: number;
  id_local_fim: number;
  id_local_armazenado: number;
  quantidade: number;
}

const enter = (em: EntityManager, rows: readonly Record<string, unknown>[], idPessoa: number) =>
  postMovements(
    em,
    (rows as readonly unknown[] as readonly Opening[]).map(row => ({
      idLote: row.id_lote,
      idTipoMovimentacao: ENTRADA_AVULSA,
      idLocalDestinoFim: row.id_local_fim,
      idLocalDestinoArm: row.id_local_armazenado,
      quantidade: row.quantidade,
      flEstorno: 'N',
      observacao: 'Saldo inicial',
    })),
    idPessoa,
  );

/** The opening stock of a storeroom: an entry for each cell of a batch without movements. */
export const saldosIniciais = new Importable('saldos-iniciais', Estoque, {
  managedBy: [MOVEMENTS_CONTROLLER],
  key: ['lote', 'localFim', 'localArmazenado'],
  columns: [
    'lote.material.titulo',
    'lote.fabricante.nome',
    'lote.codLote',
    'localFim.sigla',
    'localArmazenado.sigla',
    'quantidade',
  ],
  mayBeEmpty: ['lote.codLote'],
  formats: { quantidade: wholeNumber(1) },
  rules: [opensOnce, fitsBatch],
  entered: { known: OPENED, write: enter },
  // The arrival of a batch that has not arrived yet: quantity and location. Afterwards its openings would have moved it.
  prepare: `update lote l set quantidade = b.quantidade, id_local = b.fim, id_local_destino = b.arm,
      alterado_em = now(), alterado_por = coalesce(${AUTHOR}, l.alterado_por)
    from (
      select id_lote, sum(quantidade) as quantidade, (array_agg(id_local_fim order by linha))[1] as fim,
        (array_agg(id_local_armazenado order by linha))[1] as arm
      from linha_lida group by id_lote
    ) b where l.id = b.id_lote and ${NOT_ARRIVED}`,
});
