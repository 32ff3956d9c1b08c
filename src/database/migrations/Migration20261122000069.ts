import { Migration } from '@mikro-orm/migrations';

/**
 * Fills in civil names and registration numbers. If nothing else changes, records keep their versions, and the audit
 * trail records nothing. For people with a social name `nome` changes, and the trail records it. Readers are not
 * blocked.
 */
export class Migration20261122000069 extends Migration {
  override up(): void {
    this.addSql(`alter table "vinculo_discente" disable trigger user`);
    this.addSql(
      `update "vinculo_discente" set "numero_matricula" = "matricula" where "numero_matricula" is null`,
    );
    this.addSql(`alter table "vinculo_discente" enable trigger user`);
    this.addSql(`alter table "pessoa" disable trigger user`);
    this.addSql(`update "pessoa" set "nome_civil" = "nome" where "nome_civil" is null`);
    this.addSql(`alter table "pessoa" enable trigger user`);
    this.addSql(`select set_config('sii.requisicao', 'nome social', true)`);
    // The trigger writes the name.
    this.addSql(`update "pessoa" set "alterado_em" = now() where "nome" <> "nome_social"`);
  }

  override down(): void {}
}
