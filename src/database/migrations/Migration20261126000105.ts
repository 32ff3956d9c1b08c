import { Migration } from '@mikro-orm/migrations';

const reasons = (...further: string[]): string =>
  ['pedido', 'falhas', 'cancelamento', 'direitos', 'segredo', ...further].map(one => `'${one}'`).join(', ');

/**
 * A copy of a database has the webhooks of the original, and would send what the original sends, too. A restore in the
 * place of the original is no copy, and neither is a standby that takes over.
 */
const RESTORED = `create function mudancas_restauradas() returns int language plpgsql as $$
  declare
    copiada boolean := exists (select from historia_mudancas where lugar <> mudancas_lugar());
    pausados int := 0;
  begin
    update historia_mudancas set historia = gen_random_uuid(), lugar = mudancas_lugar(),
      fotografia = pg_current_snapshot(), ultima = 0, momento = clock_timestamp()
    where copiada or pg_snapshot_xmax(fotografia) > pg_snapshot_xmax(pg_current_snapshot());
    if found then
      delete from mudanca_transacao;
    end if;
    if copiada then
      update webhook set situacao = 'pausado', motivo = 'copia', alterado_em = now(), alterado_por = null
      where situacao = 'ativo';
      get diagnostics pausados = row_count;
    end if;
    return pausados;
  end $$`;

const RESTORED_BEFORE = `create function mudancas_restauradas() returns void language plpgsql as $$
  begin
    update historia_mudancas set historia = gen_random_uuid(), lugar = mudancas_lugar(),
      fotografia = pg_current_snapshot(), ultima = 0, momento = clock_timestamp()
    where lugar <> mudancas_lugar() or pg_snapshot_xmax(fotografia) > pg_snapshot_xmax(pg_current_snapshot());
    if found then
      delete from mudanca_transacao;
    end if;
  end $$`;

export class Migration20261126000105 extends Migration {
  override up(): void {
    this.setReasons(reasons('copia'));
    this.addSql('drop function mudancas_restauradas');
    this.addSql(RESTORED);
  }

  override down(): void {
    this.addSql(`update webhook set motivo = 'pedido' where motivo = 'copia'`);
    this.setReasons(reasons());
    this.addSql('drop function mudancas_restauradas');
    this.addSql(RESTORED_BEFORE);
  }

  private setReasons(allowed: string): void {
    this.addSql('alter table "webhook" drop constraint "webhook_motivo_check"');
    this.addSql(
      `alter table "webhook" add constraint "webhook_motivo_check" check ("motivo" in (${allowed}))`,
    );
  }
}
