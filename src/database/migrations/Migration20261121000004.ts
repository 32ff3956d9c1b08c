import { Migration } from '@mikro-orm/migrations';

/** The kinds and states of stock movements, whose ids mean something (contract 7), ship with the service. */
export class Migration20261121000004 extends Migration {
  override up(): void {
    this.addSql(`insert into tipo_movimentacao (id, descricao, exige_origem, exige_destino) values
      (1, 'Entrada', false, true),
      (2, 'Entrada avulsa', false, true),
      (3, 'Transferência', true, true),
      (4, 'Saída', true, false),
      (5, 'Descarte', true, false)`);
    this.addSql(
      `insert into status_movimentacao (id, descricao) values (1, 'Pendente'), (2, 'Efetivada'), (3, 'Rejeitada')`,
    );
    this.addSql(`select setval('tipo_movimentacao_id_seq', 5), setval('status_movimentacao_id_seq', 3)`);
  }

  override down(): void {
    this.addSql('delete from tipo_movimentacao');
    this.addSql('delete from status_movimentacao');
  }
}
