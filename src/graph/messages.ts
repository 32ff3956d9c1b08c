import type { Texts } from '../messages.ts';

/** What people read about filters, groups and pages of lists, in both languages. */
export const graphTexts = {
  filterMembers: (most: number) => ({
    pt: `o filtro tem mais de ${most} membros`,
    en: `the filter has more than ${most} members`,
  }),
  notGrouped: (path: string) => ({
    pt: `não agrupa por ${path}`,
    en: `does not group by ${path}`,
  }),
  otherCursor: {
    pt: 'não é um cursor desta lista com estes filtros e esta ordem',
    en: 'is not a cursor of this list with these filters and this order',
  },
} satisfies Texts;
