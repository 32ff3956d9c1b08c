/** The codes of the Federal Police for what a controlled chemical is consumed for. */
export const purposes =
  '1 cleaning and maintenance, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents';

/** The condition that the column `finalidade` holds one of them. */
export const PURPOSES = '"finalidade" in (1, 2, 3, 4, 5)';
