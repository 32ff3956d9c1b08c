import { Migration } from '@mikro-orm/migrations';

/** The audit trail also records refusals, which belong to no record. It can be read by table and by time. */
export class Migration20261121000024 extends Migration {
  override up(): void {
    this.addSql(`alter table auditoria
      alter column tabela drop not null,
      alter column id_registro drop not null,
      alter column operacao type varchar(20),
      add column acao varchar(255),
      add column vezes int not null default 1,
      drop constraint auditoria_operacao_check,
      add constraint auditoria_operacao_check
        check (operacao in ('insert', 'update', 'delete', 'login_recusado', 'acesso_recusado'))`);
    this
      .addSql(`create function auditoria_campos(alteracoes jsonb) returns json language sql immutable parallel safe
      return (
        select coalesce(json_agg(json_build_object('campo', key, 'antes', value ->> 0, 'depois', value ->> 1) order by key), '[]')
        from jsonb_each(alteracoes)
      )`);
    // Lists compare text under this collation.
    this.addSql('drop index auditoria_registro');
    this.addSql('create index auditoria_registro on auditoria (tabela collate "pt_br", id_registro, id)');
  }

  override down(): void {
    this.addSql('drop function auditoria_campos');
    this.addSql('drop index auditoria_registro');
    this.addSql('create index auditoria_registro on auditoria (tabela, id_registro, id)');
    this.addSql('alter table auditoria drop column acao, drop column vezes');
  }
}
