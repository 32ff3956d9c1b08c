import { Migration } from '@mikro-orm/migrations';

/** The use of an API key is not audited: the audit trail records changes, not calls. */
export class Migration20261121000010 extends Migration {
  override up(): void {
    this
      .addSql(`create or replace function auditoria_alteracoes(antes jsonb, depois jsonb) returns jsonb language sql immutable parallel safe
      return (
        select coalesce(jsonb_object_agg(campo,
          case when campo ~ 'hash$' then '["***", "***"]'::jsonb else jsonb_build_array(antes -> campo, depois -> campo) end), '{}')
        from jsonb_object_keys(coalesce(antes, depois)) as campo
        where coalesce(antes -> campo, 'null') <> coalesce(depois -> campo, 'null') and campo <> 'ultimo_uso'
      )`);
    this.addSql(`create or replace function auditar() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, n.id, 'update', mudou.alteracoes
          from novas n join antigas o using (id),
            lateral (select auditoria_alteracoes(to_jsonb(o), to_jsonb(n)) as alteracoes offset 0) mudou,
            auditoria_quem() quem
          where mudou.alteracoes <> '{}';
        elsif tg_op = 'INSERT' then
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, n.id, 'insert', auditoria_alteracoes(null, to_jsonb(n))
          from novas n, auditoria_quem() quem;
        else
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, o.id, 'delete', auditoria_alteracoes(to_jsonb(o), null)
          from antigas o, auditoria_quem() quem;
        end if;
        return null;
      end $$`);
  }

  override down(): void {
    // The previous functions are in the migration that created them. Nothing depends on the difference.
  }
}
