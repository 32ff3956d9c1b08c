import { Migration } from '@mikro-orm/migrations';

/**
 * The database protects the ledger against all code (contract 7). A movement that is no longer pending can be neither
 * changed nor deleted. One exception: a batch can be deleted while its own entry is its only movement; then both go.
 */
export class Migration20261121000007 extends Migration {
  override up(): void {
    this.addSql(`create function movimentacao_recusa() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and not exists (select from lote where id = old.id_lote) then
          return old;
        end if;
        raise exception 'movement % is no longer pending', old.id using errcode = 'SI001';
      end $$`);
    this.addSql(`create trigger movimentacao_recusa before update or delete on movimentacao
      for each row when (old.id_status_movimentacao <> 1) execute function movimentacao_recusa()`);
    this.addSql(`create function lote_recusa() returns trigger language plpgsql as $$
      begin
        if exists (
          select from movimentacao
          where id_lote = old.id and (id_tipo_movimentacao not in (1, 2) or fl_estorno = 'S')
          union all
          select from movimentacao where id_lote = old.id offset 1
        ) then
          raise exception 'batch % has moved', old.id using errcode = 'restrict_violation', table = 'movimentacao';
        end if;
        return old;
      end $$`);
    this.addSql(
      `create trigger lote_recusa before delete on lote for each row execute function lote_recusa()`,
    );
    this.addSql(`create function ledger_recusa() returns trigger language plpgsql as $$
      begin
        raise exception 'the ledger is append-only' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create trigger movimentacao_recusa_truncate before truncate on movimentacao
      for each statement execute function ledger_recusa()`);
  }

  override down(): void {
    this.addSql('drop function movimentacao_recusa, lote_recusa, ledger_recusa cascade');
  }
}
