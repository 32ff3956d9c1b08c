import { Migration } from '@mikro-orm/migrations';

/**
 * A closing keeps where the map counted each movement, so that reversals of later months take off what was told. A month that
 * is reopened may lose movements, so they are not referred to. Earlier closings have no rows.
 */
export class Migration20261129000132 extends Migration {
  override up(): void {
    this.addSql(`create table informado_mapa (
      id_fechamento int not null references fechamento_mapa (id) on update restrict on delete restrict,
      id_movimentacao int not null,
      registro text null check (registro in ('MVN', 'UC')),
      finalidade int null,
      codigo text null,
      concentracao int null,
      densidade numeric null,
      unidade text null,
      fator numeric null,
      primary key (id_fechamento, id_movimentacao)
    )`);
    this.addSql(`create trigger informado_mapa_recusa before update or delete or truncate on informado_mapa
      for each statement execute function ledger_recusa()`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''informado_mapa''');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''informado_mapa''', '');
    end $$`);
    this.addSql('drop table informado_mapa');
  }
}
