import { Migration } from '@mikro-orm/migrations';

/**
 * A restore into another cluster brings transaction numbers that this cluster has not reached yet. Until it does, these
 * rows would count as just written. Their numbers become 0, which means long ago. The trail refuses every other change
 * as before.
 */
export class Migration20261122000003 extends Migration {
  override up(): void {
    // A transaction with visible rows is complete, and its number is below that of the snapshot, or it is the current
    // one.
    this.addSql(`create function auditoria_recusa_alteracao() returns trigger language plpgsql as $$
      begin
        if old.transacao >= pg_snapshot_xmax(pg_current_snapshot()) and old.transacao > pg_current_xact_id()
          and new.transacao = '0' and to_jsonb(new) - 'transacao' = to_jsonb(old) - 'transacao' then
          return new;
        end if;
        raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql('drop trigger auditoria_recusa on auditoria');
    this.addSql(`create trigger auditoria_recusa before delete or truncate on auditoria
      for each statement execute function auditoria_recusa()`);
    this.addSql(`create trigger auditoria_recusa_alteracao before update on auditoria
      for each row execute function auditoria_recusa_alteracao()`);
    // Runs with the rights of the owner, so that a service that owns nothing can call it. Therefore temporary tables of
    // the caller come last in the search path. The index finds the newest row of each table.
    this.addSql(`create function auditoria_restaurada() returns void language plpgsql
      security definer set search_path = public, pg_temp as $$
      begin
        if exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
            where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'
            and (select a.transacao from auditoria a where a.tabela = c.relname order by a.transacao desc limit 1)
              >= pg_snapshot_xmax(pg_current_snapshot())) then
          update auditoria set transacao = '0'
            where transacao >= pg_snapshot_xmax(pg_current_snapshot()) and transacao > pg_current_xact_id();
        end if;
      end $$`);
  }

  override down(): void {
    this.addSql('drop function auditoria_restaurada');
    this.addSql('drop trigger auditoria_recusa_alteracao on auditoria');
    this.addSql('drop function auditoria_recusa_alteracao');
    this.addSql('drop trigger auditoria_recusa on auditoria');
    this.addSql(`create trigger auditoria_recusa before update or delete or truncate on auditoria
      for each statement execute function auditoria_recusa()`);
  }
}
