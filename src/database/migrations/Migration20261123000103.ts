import { Migration } from '@mikro-orm/migrations';

/**
 * A text is looked up by its numbers first, together with the characters around them if they are short: of `caixa com 6`
 * the index finds the rows that contain the words `cai…`, `com…` and `6…`, also if the text has four longer words.
 */
export class Migration20261123000103 extends Migration {
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
              order by is_word desc, is_number desc, is_long desc, case when is_long then length(token) end desc, place
            ) <= case when is_long or bool_or(is_word and is_number) over () then 4 else 3 end is_used
            from (
              select token, place, length(token) > 2 is_long, token ~ '^[0-9]+$' is_number,
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
}
