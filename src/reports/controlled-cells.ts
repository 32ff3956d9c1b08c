import { Cell } from './report.ts';

/*
 * Columns of the reports about controlled chemicals. They are not a base class of the rows, because each report has its
 * own order of columns. Widths are in characters.
 */

type Decorate = ReturnType<typeof Cell>;

export const Ano = (): Decorate => Cell('integer', { title: 'Ano', description: 'Year', width: 6 });

/** `under`: the column below whose value a PDF shows it. */
export const Mes = (under?: string): Decorate =>
  Cell('integer', { title: 'Mês', description: 'Month, 1 to 12', width: under ? 5 : 6, under });

export const Produto = (width: number): Decorate =>
  Cell('text', { title: 'Produto', description: 'Name of its first material', width });

export const Codigo = (): Decorate =>
  Cell('text', {
    title: 'Código',
    description: 'Code of the Federal Police, or NCM of a mixture',
    nullable: true,
    width: 13,
    under: 'produto',
  });

export const Concentracao = (): Decorate =>
  Cell('integer', {
    title: 'Conc. (%)',
    description: 'Whole per cent; null for a mixture',
    nullable: true,
    width: 6,
  });

export const Densidade = (): Decorate =>
  Cell('decimal', {
    title: 'Densidade',
    description: 'In kg/L, with two places',
    nullable: true,
    width: 9,
    places: 2,
    under: 'concentracao',
  });

export const Unidade = (): Decorate =>
  Cell('text', { title: 'Un.', description: '`K` kilograms, `L` litres', nullable: true, width: 4 });
