import { Migration } from '@mikro-orm/migrations';

/** What is later was stored by a clock that was ahead. */
const latest = (moment: string): string => `${moment} + interval '1 minute'`;

/** SQL of the functions, before and now. */
const CHANGES: readonly [name: string, before: string, now: string][] = [
  [
    'numerar_mudancas',
    `h.momento - interval '7 days' into`,
    `case when h.momento <= ${latest('clock_timestamp()')} then h.momento - interval '7 days' else '-infinity' end into`,
  ],
  [
    'reservar_tentativa',
    `t.estado = 'entrou' and t.momento > instante - p_lembrada)`,
    `t.estado = 'entrou' and t.momento > instante - p_lembrada and t.momento <= ${latest('instante')})`,
  ],
  [
    'reservar_tentativa',
    `t.estado in ('em_curso', 'falhou') and t.momento > ${latest('instante')}`,
    `t.momento > ${latest('instante')}`,
  ],
];

/**
 * After the clock of the database has gone back, entries may be older than the last numbering says. Then they are found by their
 * transactions alone. And a login of a time when it was ahead makes no network known.
 */
export class Migration20261128000123 extends Migration {
  override up(): void {
    for (const [name, before, now] of CHANGES) this.replace(name, before, now);
  }

  override down(): void {
    for (const [name, before, now] of CHANGES.toReversed()) this.replace(name, now, before);
  }

  private replace(name: string, from: string, to: string): void {
    this.addSql(`do $do$ begin
      execute replace(pg_get_functiondef('${name}'::regproc), $from$${from}$from$, $to$${to}$to$);
    end $do$`);
  }
}
