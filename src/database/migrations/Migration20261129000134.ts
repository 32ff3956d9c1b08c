import { Migration } from '@mikro-orm/migrations';

/** The requests that a person made or decided. */
export class Migration20261129000134 extends Migration {
  override up(): void {
    this.addSql(
      'create index solicitacao_aprovacao_solicitado_por_index on solicitacao_aprovacao (solicitado_por)',
    );
    this.addSql(
      'create index solicitacao_aprovacao_decidido_por_index on solicitacao_aprovacao (decidido_por)',
    );
  }

  override down(): void {
    this.addSql('drop index solicitacao_aprovacao_decidido_por_index');
    this.addSql('drop index solicitacao_aprovacao_solicitado_por_index');
  }
}
