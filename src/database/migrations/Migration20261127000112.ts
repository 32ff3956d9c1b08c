import { Migration } from '@mikro-orm/migrations';

const right = (
  attempt: string,
): string => `create or replace function acertar_tentativa(p_id bigint, p_par bytea)
  returns void language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  delete from tentativa_senha where id in (
    select id from tentativa_senha where par = p_par and estado <> 'em_curso' for update skip locked);
  update tentativa_senha set estado = 'entrou', momento = clock_timestamp() where ${attempt};
end $$`;

/** After a crash the database may give the id of an attempt that it has forgotten to another one. */
export class Migration20261127000112 extends Migration {
  override up(): void {
    this.addSql(right('id = p_id and par = p_par'));
  }

  override down(): void {
    this.addSql(right('id = p_id'));
  }
}
