import { Migration } from '@mikro-orm/migrations';

/** All tables from which effective permissions are computed (`access/granted.ts`). */
const tables = [
  'permissao',
  'perfil',
  'perfil_recurso',
  'perfil_recurso_item',
  'recurso',
  'sistema',
  'controller',
];

/**
 * Gives the state of all permissions a name. A process that has cached a person's levels under that name need not
 * compute them again. The name is random and not a number, because after a restore a number would be used again for
 * other permissions.
 */
export class Migration20261122000040 extends Migration {
  override up(): void {
    this.addSql(`create table estado_permissoes (
      unico boolean primary key default true check (unico),
      estado uuid not null default gen_random_uuid()
    )`);
    this.addSql('insert into estado_permissoes default values');
    this.addSql(`create function permissoes_mudaram() returns trigger language plpgsql as $$
      begin
        update estado_permissoes set estado = gen_random_uuid();
        return null;
      end $$`);
    for (const table of tables)
      this.addSql(`create trigger permissoes_mudaram after insert or update or delete or truncate on ${table}
        for each statement execute function permissoes_mudaram()`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''estado_permissoes''');
    end $$`);
  }

  override down(): void {
    this.addSql('drop function permissoes_mudaram cascade');
    this.addSql('drop table estado_permissoes');
  }
}
