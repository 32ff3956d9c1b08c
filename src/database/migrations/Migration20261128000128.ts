import { Migration } from '@mikro-orm/migrations';

/** Where earlier versions wrote values of a file into `detalhe`, and what stands there instead. */
const VALUES: readonly (readonly [pattern: string, replacement: string, flags: string])[] = [
  // A header that is not known is a value if the file has no headers.
  ['^  ".*" (não pode ser importada|aparece duas vezes)$', String.raw`  uma coluna \1`, 'gn'],
  ['^  ".*" (cannot be imported|appears twice)$', String.raw`  a column \1`, 'gn'],
  // The last line, if it was cut.
  ['^  ".*…$', '  …', 'n'],
  [String.raw`(Invalid Opening Quote: .* at line \d+), value is .*`, String.raw`\1`, ''],
  ['the text .* is missing', 'the text of a cell is missing', ''],
];

const WITHOUT = VALUES.reduce(
  (text, [pattern, replacement, flags]) =>
    `regexp_replace(${text}, '${pattern}', '${replacement}', '${flags}')`,
  'detalhe',
);

/** Takes the values of refused files out of the records of imports, which all who may list imports can read. */
export class Migration20261128000128 extends Migration {
  override up(): void {
    this.addSql(`update importacao set detalhe = ${WITHOUT}, alterado_em = now()
      where situacao = 'recusada' and detalhe <> ${WITHOUT}`);
  }

  override down(): void {
    // The values are gone, and earlier versions read what stands there now.
  }
}
