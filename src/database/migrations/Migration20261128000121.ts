import { Migration } from '@mikro-orm/migrations';

/**
 * The function of migration 16. `also` runs after it has stored who changed what of a pending movement.
 */
const changed = (
  also: string,
): string => `create or replace function movimentacao_alterada() returns trigger language plpgsql as $$
      begin
        insert into alteracao_solicitacao (id_solicitacao, campo, antes, depois, criado_por, alterado_por)
        select s.id, campo, to_jsonb(old) ->> campo, to_jsonb(new) ->> campo, new.alterado_por, new.alterado_por
        from solicitacao_aprovacao s, jsonb_object_keys(to_jsonb(new)) campo
        where s.id_movimentacao = new.id and to_jsonb(old) -> campo <> to_jsonb(new) -> campo
          and campo not in ('versao', 'alterado_em', 'alterado_por', 'quantidade_estornada', 'quantidade_em_estorno')
        order by campo;${also}
        return null;
      end $$`;

/** Once in a transaction, as for what belongs to a record. */
const VERSION = `
        update solicitacao_aprovacao set versao = versao + 1
        where id_movimentacao = new.id and xmin <> pg_current_xact_id()::xid;`;

const TABLES = ['pessoa', 'conta_gerencial'];

/**
 * An address belongs to a person or to a managerial account, not to both. And each version of a waiting movement is a version
 * of its approval request, so that the tag of either shows what was seen.
 */
export class Migration20261128000121 extends Migration {
  override up(): void {
    this.addSql(changed(VERSION));
    // Under the lock of the administration, which requests and imports that write addresses hold already.
    this.addSql(`create function endereco_de_um_so() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.email = new.email then
          return null;
        end if;
        perform pg_advisory_xact_lock(5119003, hashtext(''));
        if tg_table_name = 'pessoa' and exists (select from conta_gerencial c where c.email = new.email)
          or tg_table_name = 'conta_gerencial' and exists (select from pessoa p where p.email = new.email) then
          raise unique_violation using message = format('%s is the address of a person and of an account', new.email),
            detail = format('Key (email)=(%s) already exists.', new.email), table = tg_table_name,
            constraint = 'endereco_de_um_so';
        end if;
        return null;
      end $$`);
    for (const table of TABLES)
      this.addSql(`create trigger endereco_de_um_so after insert or update of email on ${table}
        for each row execute function endereco_de_um_so()`);
  }

  override down(): void {
    this.addSql('drop function endereco_de_um_so cascade');
    this.addSql(changed(''));
  }
}
