import { Migration } from '@mikro-orm/migrations';

/** The parameters of the function that reserves an attempt, which its name needs. */
const RESERVE =
  'reservar_tentativa(bytea, bytea, bytea, int, int, int, int, interval, interval, interval, timestamptz)';

/**
 * Attempts are always found by an index. A plan is kept until the table is analysed, and one that was made while the table
 * was empty reads all of it. A bitmap scan reads the entries of deleted rows again each time, whereas an index scan marks
 * them: with many logins of one network there are thousands until the next vacuum.
 */
export class Migration20261126000108 extends Migration {
  override up(): void {
    for (const setting of ['enable_seqscan', 'enable_bitmapscan'])
      this.addSql(`alter function ${RESERVE} set ${setting} = off`);
    this.addSql(`create function acertar_tentativa(p_id bigint, p_par bytea) returns void language plpgsql
      set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  delete from tentativa_senha where id in (
    select id from tentativa_senha where par = p_par and estado <> 'em_curso' for update skip locked);
  update tentativa_senha set estado = 'entrou', momento = clock_timestamp() where id = p_id;
end $$`);
  }

  override down(): void {
    this.addSql('drop function acertar_tentativa(bigint, bytea)');
    this.addSql(`alter function ${RESERVE} reset all`);
  }
}
