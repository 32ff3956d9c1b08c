import { Migration } from '@mikro-orm/migrations';

/**
 * The transaction's change of stock, minus the effect of its movements. It must be 0 at the end of each transaction.
 */
const SUM = `coalesce(nullif(current_setting('sii.estoque_por_explicar', true), ''), '0')::numeric`;
const keep = `guardada := set_config('sii.estoque_por_explicar', soma::text, true);`;

/** A number for a cell of stock, so that quantities of different cells do not cancel out. */
const cell = (batch: string, fim: string, arm: string): string =>
  `hashint8extended((${batch}::bigint << 32) | ${fim}, coalesce(${arm}, ${fim}))::numeric`;
const cellOf = (row: string): string =>
  cell(`${row}.id_lote`, `${row}.id_local_fim`, `${row}.id_local_armazenado`);
const side = (name: string): string => cell('m.id_lote', `m.id_local_${name}_fim`, `m.id_local_${name}_arm`);

/**
 * The database refuses a change of stock without a matching movement in the same transaction. Triggers of both tables
 * maintain one sum in a setting of the transaction, which takes microseconds. A deferred trigger checks it at the end.
 * This applies to each version of the service, and to manual SQL.
 */
export class Migration20261122000015 extends Migration {
  override up(): void {
    this.addSql(`create function estoque_muda() returns trigger language plpgsql as $$
      declare
        soma numeric := ${SUM};
        guardada text;
      begin
        if tg_op <> 'INSERT' then
          soma := soma - old.quantidade * ${cellOf('old')};
        end if;
        if tg_op <> 'DELETE' then
          soma := soma + new.quantidade * ${cellOf('new')};
        end if;
        ${keep}
        return null;
      end $$`);
    this.addSql(`create function movimentacao_explica() returns trigger language plpgsql as $$
      declare
        soma numeric := ${SUM};
        guardada text;
        m movimentacao := case tg_op when 'DELETE' then old else new end;
        quantidade int := case when (tg_op = 'DELETE') = (m.fl_estorno = 'S') then m.quantidade else -m.quantidade end;
      begin
        if m.id_tipo_movimentacao in (3, 4, 5) then
          soma := soma + quantidade * ${side('origem')};
        end if;
        if m.id_tipo_movimentacao in (1, 2, 3) then
          soma := soma - quantidade * ${side('destino')};
        end if;
        ${keep}
        return null;
      end $$`);
    this.addSql(`create function estoque_explicado() returns trigger language plpgsql as $$
      begin
        if ${SUM} <> 0 then
          raise exception 'stock changed without a movement that explains it'
            using errcode = 'SI002', hint = 'Register a movement. See "ledger" in docs/operations.md.';
        end if;
        return null;
      end $$`);
    const changed = `old.quantidade <> new.quantidade or (old.id_lote, old.id_local_fim, old.id_local_armazenado)
      <> (new.id_lote, new.id_local_fim, new.id_local_armazenado)`;
    for (const [event, when] of [
      ['insert', 'new.quantidade <> 0'],
      ['update', changed],
      ['delete', 'old.quantidade <> 0'],
    ])
      this.addSql(`create trigger estoque_muda_${event} after ${event} on estoque for each row
        when (${when}) execute function estoque_muda()`);
    for (const [event, when] of [
      ['insert', 'new.id_status_movimentacao = 2'],
      ['update', 'old.id_status_movimentacao <> 2 and new.id_status_movimentacao = 2'],
      ['delete', 'old.id_status_movimentacao = 2'],
    ])
      this.addSql(`create trigger movimentacao_explica_${event} after ${event} on movimentacao for each row
        when (${when}) execute function movimentacao_explica()`);
    this.addSql(`create constraint trigger estoque_explicado after insert or update or delete on estoque
      deferrable initially deferred for each row execute function estoque_explicado()`);
    this.addSql(`create trigger estoque_recusa_truncate before truncate on estoque
      for each statement execute function ledger_recusa()`);
  }

  override down(): void {
    this.addSql('drop trigger estoque_recusa_truncate on estoque');
    this.addSql('drop function estoque_explicado, movimentacao_explica, estoque_muda cascade');
  }
}
