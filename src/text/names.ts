/** `id_unidade_medida` of `idUnidadeMedida`: how the legacy face spells the names of records and bodies (contract 1). */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** A path into a body, each name in legacy spelling: `movimentacoes[1].id_lote` of `movimentacoes[1].idLote`. */
export const snakePath = (path: string): string => path.split('.').map(snakeCase).join('.');

/** A description whose fields, each quoted as `idUnidadeMedida`, are in legacy spelling. */
export const snakeQuoted = (text: string): string => text.replace(/`[a-z][\w.]*`/g, snakePath);
