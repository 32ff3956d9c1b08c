import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000025 extends Migration {
  override name = 'Migration20261121000025';

  override up(): void | Promise<void> {
    this
      .addSql(`create view "registro_auditoria" as select a.id, a.momento, a.id_pessoa, a.id_sistema, a.endereco, a.requisicao, a.operacao, a.tabela, a.id_registro,
  a.acao, a.vezes, auditoria_campos(a.alteracoes) as alteracoes
from auditoria a;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop view if exists "registro_auditoria" cascade;`);
  }
}
