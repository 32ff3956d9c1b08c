import { Migration } from '@mikro-orm/migrations';

/** The base of the schema: text search, Portuguese ordering, and the table of the login throttle. */
export class Migration20261121000000 extends Migration {
  override up(): void {
    this.addSql('create extension if not exists unaccent');
    this.addSql('create extension if not exists pg_trgm');
    this.addSql(`create collation pt_br (provider = icu, locale = 'pt-BR')`);
    // unaccent() is declared stable, because its dictionary could be replaced. An index requires an immutable function.
    this.addSql(`create function fold(text) returns text language sql immutable strict parallel safe
      return lower(unaccent('unaccent'::regdictionary, $1) collate pt_br)`);
    // Wildcards are escaped after folding: unaccent turns full-width ones into plain ones.
    this
      .addSql(`create function contains_pattern(text) returns text language sql immutable strict parallel safe
      return '%' || regexp_replace(fold($1), '([\\\\%_])', '\\\\\\1', 'g') || '%'`);
    this.addSql(
      `create table tentativa_login (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    );
  }

  override down(): void {
    this.addSql('drop table tentativa_login');
    this.addSql('drop function contains_pattern, fold');
    this.addSql('drop collation pt_br');
  }
}
