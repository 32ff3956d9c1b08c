import { Migration } from '@mikro-orm/migrations';

/** Columns that text filters search. */
const searched: Record<string, string[]> = {
  atividade_curriculo_discente: ['estrutura', 'nome_atividade'],
  controller: ['nome'],
  curso: ['modalidade', 'nome'],
  empresa: ['nome'],
  etapa_tramitacao: ['descricao'],
  funcionario: ['natureza_juridica', 'nome_civil', 'nome_social'],
  local: ['nome'],
  material: ['descricao', 'titulo'],
  nota_fiscal: ['processo_sei'],
  perfil: ['descricao', 'nome'],
  pessoa: ['nome', 'nome_social'],
  plano_ensino: ['nome_disciplina'],
  recurso: ['descricao', 'nome'],
  sistema: ['descricao', 'pagina_inicial', 'sigla'],
  situacao_atividade_curriculo: ['sigla', 'situacao'],
  tipo_controle: ['descricao'],
};

/** The changes of a record. Columns in `silent` are left out. */
const changes = (
  silent: string,
): string => `create or replace function auditoria_alteracoes(antes jsonb, depois jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(campo,
      case when campo ~ 'hash$' then '["***", "***"]'::jsonb else jsonb_build_array(antes -> campo, depois -> campo) end), '{}')
    from jsonb_object_keys(coalesce(antes, depois)) as campo
    where coalesce(antes -> campo, 'null') <> coalesce(depois -> campo, 'null') and ${silent}
  )`;

/**
 * Searched text is stored folded, in a column `<column>_busca` with the index on it. A trigger maintains it. It is not
 * a generated column, because PostgreSQL would rewrite each table under an exclusive lock, and requests of the previous
 * version would be refused meanwhile. `dobrar_pendentes` fills it after the migration, a few rows at a time.
 */
export class Migration20261122000005 extends Migration {
  override up(): void {
    this.addSql(changes(`campo not in ('ultimo_uso', 'versao') and right(campo, 6) <> '_busca'`));
    // Columns are named at run time, so that they can still be altered and dropped.
    this.addSql(`create function dobrar() returns trigger language plpgsql as $$
      begin
        return jsonb_populate_record(new, (
          select jsonb_object_agg(campo || '_busca', fold(to_jsonb(new) ->> campo)) from unnest(tg_argv) campo));
      end $$`);
    // Called after every migration. A table with a new trigger has rows that were not folded.
    this.addSql(`create function dobrar_tabelas() returns void language plpgsql as $$
      declare t record;
      begin
        for t in
          select c.oid, c.relname as nome, string_agg(quote_literal(a.attname), ', ' order by a.attnum) as campos,
            string_agg(a.attname || '\\000', '' order by a.attnum) as argumentos
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
          join pg_attribute b on b.attrelid = c.oid and b.attname = a.attname || '_busca' and not b.attisdropped
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          group by c.oid
        loop
          continue when exists (select from pg_trigger g
            where g.tgrelid = t.oid and g.tgname = 'dobrar' and encode(g.tgargs, 'escape') = t.argumentos);
          execute format('drop trigger if exists dobrar on %I', t.nome);
          execute format('create trigger dobrar before insert or update on %I for each row execute function dobrar(%s)', t.nome, t.campos);
          execute format('comment on trigger dobrar on %I is ''pendente''', t.nome);
        end loop;
      end $$`);
    // The lock keeps writers out for one batch, so that other triggers can be disabled: for clients nothing changes, so
    // records keep their versions. The lock is taken before any row lock, to avoid deadlocks.
    this.addSql(`create procedure dobrar_pendentes() language plpgsql as $$
      declare
        tabela text;
        campos text;
        ultimo bigint;
        proximo bigint;
      begin
        loop
          select c.relname, (
            select string_agg(format('%I = fold(%I)', campo || '_busca', campo), ', ')
            from unnest(string_to_array(encode(g.tgargs, 'escape'), '\\000')) campo where campo <> ''
          ) into tabela, campos
          from pg_trigger g join pg_class c on c.oid = g.tgrelid
          where c.relnamespace = current_schema()::regnamespace and g.tgname = 'dobrar'
            and obj_description(g.oid, 'pg_trigger') = 'pendente'
          order by c.relname limit 1;
          exit when not found;
          ultimo := 0;
          loop
            -- Writers queue behind this wait, so it is shorter than theirs.
            perform set_config('lock_timeout', '500ms', true);
            begin
              execute format('lock table %I in exclusive mode', tabela);
            exception when lock_not_available then
              perform pg_sleep(0.1);
              continue;
            end;
            execute format('select max(id) from (select id from %I where id > $1 order by id limit 500) lote', tabela)
              into proximo using ultimo;
            exit when proximo is null;
            execute format('alter table %I disable trigger user', tabela);
            execute format('update %I set %s where id > $1 and id <= $2', tabela, campos) using ultimo, proximo;
            execute format('alter table %I enable trigger user', tabela);
            commit;
            ultimo := proximo;
          end loop;
          execute format('comment on trigger dobrar on %I is null', tabela);
          execute format('analyze %I', tabela);
          commit;
        end loop;
      end $$`);
    for (const [table, columns] of Object.entries(searched)) {
      this.addSql(`drop index ${columns.map(column => `"${table}_${column}_search"`).join(', ')}`);
      this.addSql(
        `alter table "${table}" ${columns.map(column => `add column "${column}_busca" text null`).join(', ')}`,
      );
      for (const column of columns)
        this.addSql(
          `create index "${table}_${column}_busca" on "${table}" using gin ("${column}_busca" gin_trgm_ops)`,
        );
    }
  }

  override down(): void {
    this.addSql('drop procedure dobrar_pendentes');
    this.addSql('drop function dobrar_tabelas');
    this.addSql('drop function dobrar cascade');
    for (const [table, columns] of Object.entries(searched)) {
      this.addSql(
        `alter table "${table}" ${columns.map(column => `drop column "${column}_busca"`).join(', ')}`,
      );
      for (const column of columns)
        this.addSql(
          `create index "${table}_${column}_search" on "${table}" using gin (fold("${column}") gin_trgm_ops)`,
        );
    }
    this.addSql(changes(`campo not in ('ultimo_uso', 'versao')`));
  }
}
