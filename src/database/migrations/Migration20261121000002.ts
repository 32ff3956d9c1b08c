import { Migration } from '@mikro-orm/migrations';
import { ghsIcons } from '../reference/ghs.ts';

/** The nine hazard pictograms of the GHS ship with the service. */
export class Migration20261121000002 extends Migration {
  override async up(): Promise<void> {
    for (const { nome, descricao, icone } of ghsIcons) {
      await this.execute('insert into icone_risco (nome, descricao, icone) values (?, ?, ?)', [
        nome,
        descricao,
        icone,
      ]);
    }
  }

  override async down(): Promise<void> {
    for (const { nome } of ghsIcons) await this.execute('delete from icone_risco where nome = ?', [nome]);
  }
}
