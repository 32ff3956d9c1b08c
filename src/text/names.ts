/** Converts `idUnidadeMedida` to `id_unidade_medida`: the legacy spelling of records and bodies (contract 1). */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Converts each name of a path into a body: `movimentacoes[1].idLote` becomes `movimentacoes[1].id_lote`. */
export const snakePath = (path: string): string => path.split('.').map(snakeCase).join('.');

/** Converts the quoted field names of a description (`idUnidadeMedida`) to legacy spelling. */
export const snakeQuoted = (text: string): string => text.replace(/`[a-z][\w.]*`/g, snakePath);
