import { Migration } from '@mikro-orm/migrations';

const REFUSED = `operacao in ('login_recusado', 'acesso_recusado')`;
const KEPT = `interval '1 year'`;

/**
 * Password guessing adds rows to the audit trail. Such rows are deleted after a year. The trail refuses every other
 * deletion as before. The index on timestamps finds the rows of one day, so a large table needs no further index.
 */
export class Migration20261122000065 extends Migration {
  override up(): void {
    this.addSql('drop trigger auditoria_recusa on auditoria');
    this.addSql(`create trigger auditoria_recusa before truncate on auditoria
      for each statement execute function auditoria_recusa()`);
    this.addSql(`create trigger auditoria_recusa_remocao before delete on auditoria for each row
      when (not (old.${REFUSED} and old.momento < now() - ${KEPT})) execute function auditoria_recusa()`);
    // Runs with the rights of the owner, because the service may only insert.
    this.addSql(`create function auditoria_esquecer_recusas() returns void language sql
      security definer set search_path = public, pg_temp as $$
        delete from auditoria where ${REFUSED}
          and momento < now() - ${KEPT} and momento > now() - ${KEPT} - interval '1 day'
      $$`);
  }

  override down(): void {
    this.addSql('drop function auditoria_esquecer_recusas');
    this.addSql('drop trigger auditoria_recusa_remocao on auditoria');
    this.addSql('drop trigger auditoria_recusa on auditoria');
    this.addSql(`create trigger auditoria_recusa before delete or truncate on auditoria
      for each statement execute function auditoria_recusa()`);
  }
}
