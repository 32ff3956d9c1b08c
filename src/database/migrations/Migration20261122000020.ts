import { Migration } from '@mikro-orm/migrations';

/**
 * Links each invoice with the batches that entered by its movements. Such entries did not link them before. Links that
 * somebody removed are not restored. The audit trail records the new ones under the request `itens de notas`.
 */
export class Migration20261122000020 extends Migration {
  override up(): void {
    this.addSql(`select set_config('sii.requisicao', 'itens de notas', true)`);
    this.addSql(`insert into item_nota_fiscal (id_nota_fiscal, id_lote)
      select distinct m.id_nota_fiscal, m.id_lote from movimentacao m
      where m.id_nota_fiscal is not null and m.id_tipo_movimentacao in (1, 2) and m.fl_estorno = 'N'
        and m.id_status_movimentacao <> 3 and not exists (
          select from auditoria a where a.tabela = 'item_nota_fiscal' and a.operacao = 'delete'
            and a.alteracoes -> 'id_nota_fiscal' ->> 0 = m.id_nota_fiscal::text
            and a.alteracoes -> 'id_lote' ->> 0 = m.id_lote::text
        )
      on conflict (id_nota_fiscal, id_lote) do nothing`);
  }

  /** The links stay. The previous version shows them like any others. */
  override down(): void {}
}
