import { Migration } from '@mikro-orm/migrations';

/** A new kind of alert: maps of controlled chemicals that were not sent. */
export class Migration20261122000063 extends Migration {
  override up(): void {
    this.allow(", 'mapa_nao_enviado'");
  }

  override down(): void {
    this.allow('');
  }

  private allow(more: string): void {
    this.addSql(`alter table "reconhecimento_alerta" drop constraint "reconhecimento_alerta_tipo_check"`);
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_tipo_check" check ("tipo" in ('vencido', 'vence_em_30_dias', 'vence_em_90_dias', 'abaixo_do_minimo', 'aprovacao_pendente'${more}))`,
    );
  }
}
