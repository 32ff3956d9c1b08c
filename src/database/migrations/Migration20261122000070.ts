import { Migration } from '@mikro-orm/migrations';

/** The civil name is required, and registration numbers consist of digits. */
export class Migration20261122000070 extends Migration {
  override up(): void {
    this.addSql(`alter table "pessoa" alter column "nome_civil" set not null`);
    this.addSql(
      `alter table "vinculo_discente" alter column "numero_matricula" set not null,
         add constraint "vinculo_discente_numero_matricula_check" check ("numero_matricula" ~ '^[0-9]+$')`,
    );
    this.addSql(`drop index "vinculo_discente_matricula_sort"`);
    this.addSql(
      `create index "vinculo_discente_numero_matricula_sort" on "vinculo_discente" ("numero_matricula" collate "pt_br", "id")`,
    );
  }

  override down(): void {
    this.addSql(`drop index "vinculo_discente_numero_matricula_sort"`);
    this.addSql(`create index "vinculo_discente_matricula_sort" on "vinculo_discente" ("matricula", "id")`);
    this.addSql(
      `alter table "vinculo_discente" drop constraint "vinculo_discente_numero_matricula_check",
         alter column "numero_matricula" drop not null`,
    );
    this.addSql(`alter table "pessoa" alter column "nome_civil" drop not null`);
  }
}
