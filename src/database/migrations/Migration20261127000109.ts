import { Migration } from '@mikro-orm/migrations';

/**
 * Finds what a request wrote. Answers, log lines and errors name their request, so this is the usual question to the
 * trail; without an index it read all of it. The index takes 0.8 s per million entries, in which writes wait.
 */
export class Migration20261127000109 extends Migration {
  override up(): void {
    for (const table of ['auditoria', 'auditoria_antes'])
      this.addSql(`create index ${table}_requisicao on ${table} (requisicao collate "pt_br")`);
  }

  override down(): void {
    for (const table of ['auditoria', 'auditoria_antes']) this.addSql(`drop index ${table}_requisicao`);
  }
}
