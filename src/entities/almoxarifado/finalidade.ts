/** The codes of the Federal Police for the purpose of consumption of a controlled chemical. */
export const purposes =
  '1 cleaning and maintenance, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents';

/** SQL condition: whether the column `finalidade` contains one of them. */
export const PURPOSES = '"finalidade" in (1, 2, 3, 4, 5)';
