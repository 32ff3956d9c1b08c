import { Migration } from '@mikro-orm/migrations';

/** To-many fields of records: their children's table and link, and the table of the record. */
const owned = [
  ['docente_plano', 'id_plano_ensino', 'plano_ensino'],
  ['item_nota_fiscal', 'id_lote', 'lote'],
  ['item_nota_fiscal', 'id_nota_fiscal', 'nota_fiscal'],
  ['risco_material', 'id_material', 'material'],
  ['tramitacao_plano', 'id_plano_ensino', 'plano_ensino'],
];

/** Every record has a version. Every change increments it, whoever makes the change. */
export class Migration20261121000022 extends Migration {
  override up(): void {
    this.addSql(onEveryRecord('add versao int not null default 1'));
    this.addSql(`create function versionar() returns trigger language plpgsql as $$
      begin
        new.versao := old.versao + 1;
        return new;
      end $$`);
    // Called after every migration, so that no table can be forgotten.
    this.addSql(`create function versionar_tabelas() returns void language plpgsql as $$
      declare tabela text;
      begin
        for tabela in
          select c.relname from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'versao' and not a.attisdropped
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'versionar')
        loop
          execute format('create trigger versionar before update on %I for each row when (old.* is distinct from new.*) execute function versionar()', tabela);
        end loop;
      end $$`);
    // Once per transaction, and not in the transaction that creates or changes the record itself, which sets the
    // version already.
    this.addSql(`create function versionar_dono() returns trigger language plpgsql as $$
      declare
        novos text := format('select %I from novas', tg_argv[0]);
        antigos text := format('select %I from antigas', tg_argv[0]);
      begin
        execute format('update %I set versao = versao + 1 where id in (%s) and xmin <> pg_current_xact_id()::xid', tg_argv[1],
          case tg_op when 'INSERT' then novos when 'DELETE' then antigos else novos || ' union ' || antigos end);
        return null;
      end $$`);
    for (const [child, link, owner] of owned) {
      const trigger = (event: string, rows: string) =>
        this.addSql(`create trigger versionar_${owner}_${event} after ${event} on ${child}
          referencing ${rows} for each statement execute function versionar_dono('${link}', '${owner}')`);
      trigger('insert', 'new table as novas');
      trigger('update', 'old table as antigas new table as novas');
      trigger('delete', 'old table as antigas');
    }
    // The trail does not record the version itself: it follows from the other changes.
    this
      .addSql(`create or replace function auditoria_alteracoes(antes jsonb, depois jsonb) returns jsonb language sql immutable parallel safe
      return (
        select coalesce(jsonb_object_agg(campo,
          case when campo ~ 'hash$' then '["***", "***"]'::jsonb else jsonb_build_array(antes -> campo, depois -> campo) end), '{}')
        from jsonb_object_keys(coalesce(antes, depois)) as campo
        where coalesce(antes -> campo, 'null') <> coalesce(depois -> campo, 'null') and campo not in ('ultimo_uso', 'versao')
      )`);
  }

  override down(): void {
    this.addSql('drop function versionar, versionar_dono cascade');
    this.addSql('drop function versionar_tabelas');
    this.addSql(onEveryRecord('drop versao'));
  }
}

/** Alters the tables of all records. These are the tables with `criado_por`. */
const onEveryRecord = (change: string): string => `do $$ declare tabela text; begin
  for tabela in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'criado_por' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  loop
    execute format('alter table %I ${change}', tabela);
  end loop;
end $$`;
