import { Migration } from '@mikro-orm/migrations';

/**
 * A LIKE pattern that every text matches that contains this one, and that an index answers fast. The index compares each
 * trigram of a pattern for each row that may match, so the trigrams of a long text take most of the time of its search.
 * The beginnings of its longest words leave few other rows.
 */
export class Migration20261122000101 extends Migration {
  override up(): void {
    this
      .addSql(`create function indexed_pattern(text) returns text language plpgsql immutable strict parallel safe
      as $$ begin return (
        select case when count(*) < 2 then contains_pattern($1)
          else '%' || string_agg(left(word, case words when 2 then 4 else 3 end), '%' order by place) || '%' end
        from (
          select word, place, count(*) over () words
          from regexp_split_to_table(fold($1), '[^[:alnum:]]+') with ordinality split(word, place)
          where length(word) > 2
          order by length(word) desc, place
          limit 4
        ) longest
      ); end $$`);
  }

  override down(): void {
    this.addSql('drop function indexed_pattern');
  }
}
