/** Maximum characters of each text of a news item. */
export const newsLengths = { titulo: 500, resumo: 2000, link: 2000 } as const;
