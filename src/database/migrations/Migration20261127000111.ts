import { Migration } from '@mikro-orm/migrations';

const FUNCTIONS = ['mapa_entra', 'mapa_muda', 'mapa_muda_lote'] as const;

/** The question whether a material is in the map, which the triggers ask about several variables. */
const NOW = String.raw`material_no_mapa\((\w+\.id_material)\)`;
/** The same, about the materials of the closing `m`, too. */
const THEN = String.raw`(\1 = any(m.materiais) or material_no_mapa(\1))`;
const THEN_PATTERN = String.raw`\((\w+\.id_material) = any\(m\.materiais\) or material_no_mapa\(\1\)\)`;

/** The materials that are in the map. */
const MATERIALS = `array(select id from material where material_no_mapa(id) order by id)`;

/**
 * A closing keeps which materials were in the map. Otherwise a material that leaves the map, if only for a minute, would
 * take its movements and batches out of the closed months. Earlier closings get the materials of today, as a default of
 * the new column, because triggers refuse changes of them.
 */
export class Migration20261127000111 extends Migration {
  override up(): void {
    this.addSql(`do $$ begin
      execute format('alter table "fechamento_mapa" add column "materiais" int[] not null default %L', ${MATERIALS});
    end $$`);
    this.addSql(`alter table "fechamento_mapa" alter column "materiais" set default '{}'`);
    this.addSql(`create function fechamento_mapa_materiais() returns trigger language plpgsql as $$
      begin
        new.materiais := ${MATERIALS};
        return new;
      end $$`);
    this.addSql(`create trigger fechamento_mapa_materiais before insert on fechamento_mapa
      for each row execute function fechamento_mapa_materiais()`);
    this.replace(NOW, THEN);
  }

  override down(): void {
    this.replace(THEN_PATTERN, String.raw`material_no_mapa(\1)`);
    this.addSql('drop trigger fechamento_mapa_materiais on fechamento_mapa');
    this.addSql('drop function fechamento_mapa_materiais');
    this.addSql('alter table "fechamento_mapa" drop column "materiais"');
  }

  private replace(pattern: string, by: string): void {
    for (const name of FUNCTIONS)
      this.addSql(`do $do$ begin
        execute regexp_replace(pg_get_functiondef('${name}'::regproc), '${pattern}', '${by}', 'g');
      end $do$`);
  }
}
