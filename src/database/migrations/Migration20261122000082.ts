import { Migration } from '@mikro-orm/migrations';

/** Decisions of people about news: which are pinned at the top, and which are hidden. */
export class Migration20261122000082 extends Migration {
  override name = 'Migration20261122000082';

  override up(): void {
    this.addSql(
      `alter table "noticia" add "fixada" boolean not null default false, add "retirada" boolean not null default false;`,
    );
    this.addSql(
      `create index "noticia_primeiras" on "noticia" ("fixada", "publicada_em", "id") where not "retirada"`,
    );
  }

  override down(): void {
    this.addSql(`alter table "noticia" drop column "fixada", drop column "retirada";`);
  }
}
