import { Migration } from '@mikro-orm/migrations';

/** Reports can count all teaching plans without reading their texts. */
export class Migration20261122000089 extends Migration {
  override up(): void {
    this.addSql(
      `create index "plano_ensino_contagem" on "plano_ensino" ("id") include ("id_curso", "id_departamento", "id_situacao", "id_tramitacao_atual", "ano", "semestre")`,
    );
  }

  override down(): void {
    this.addSql(`drop index "plano_ensino_contagem"`);
  }
}
