import { Migration } from '@mikro-orm/migrations';

/**
 * A text with fewer than three long words is looked up by its short words, too, together with the characters around
 * them. Short words have one or two letters. Of `P.A., caixa com 6`, the index finds the rows that contain the words
 * `a`, `cai…` and `com…`. The index knows a short word only if it knows where the word begins, so a short word at the
 * start of the text is left out.
 */
export class Migration20261123000102 extends Migration {
  override up(): void {
    this
      .addSql(`create or replace function indexed_pattern(text) returns text language plpgsql immutable strict parallel safe
      as $$ declare whole text := contains_pattern($1);
      begin return (
        select case when count(*) filter (where is_used) < 2 then whole
          else '%' || string_agg(case
            when is_used and is_long then left(token, case when used < 3 then 4 else 3 end) || '%'
            when is_used or before_short then token
            when after_short then token || '%'
            else '%' end, '' order by place) || '%' end
        from (
          select *, count(*) filter (where is_used) over () used,
            lag(is_used and not is_long) over (order by place) after_short,
            lead(is_used and not is_long) over (order by place) before_short
          from (
            select *, is_word and row_number() over (
              order by is_word desc, is_long desc, case when is_long then length(token) end desc, place
            ) <= case when is_long then 4 else 3 end is_used
            from (
              select token, place, length(token) > 2 is_long,
                token ~ '^[[:alnum:]]' and (length(token) > 2 or place > 1) is_word
              from (
                select part[1] token, place
                from regexp_matches(substr(whole, 2, length(whole) - 2), '[[:alnum:]]+|[^[:alnum:]]+', 'g') with ordinality split(part, place)
              ) tokens
            ) measured
          ) ranked
        ) parts
      ); end $$`);
  }

  override down(): void {
    this
      .addSql(`create or replace function indexed_pattern(text) returns text language plpgsql immutable strict parallel safe
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
}
