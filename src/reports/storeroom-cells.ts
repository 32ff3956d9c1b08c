import { Column, flags } from '../entities/column.ts';
import { Cell } from './report.ts';

/*
 * Columns of the storeroom reports. They are not a base class of the rows, because each report has its own order of
 * columns. Widths are in characters.
 */

type Decorate = ReturnType<typeof Cell>;

export const IdMaterial = (): Decorate => Column('integer', { description: 'Key of the material' });

export const Titulo = (width: number): Decorate =>
  Cell('text', { title: 'Material', description: 'Name as catalogued', width });

export const Descricao = (): Decorate =>
  Cell('text', { title: 'Descrição', description: 'What the material is', width: 40 });

export const NumeroCas = (): Decorate =>
  Cell('text', {
    title: 'Número CAS',
    description: 'CAS registry number',
    nullable: true,
    width: 12,
    under: 'titulo',
  });

export const Fabricante = (width: number): Decorate =>
  Cell('text', { title: 'Fabricante', description: 'Manufacturer', nullable: true, width });

export const CodLote = (description: string, width: number): Decorate =>
  Cell('text', { title: 'Lote', description, nullable: true, width, under: 'fabricante' });

export const UnidMedida = (): Decorate =>
  Cell('text', { title: 'Unidade', description: 'Unit of the quantity', width: 9 });

/** Documents end with the sums of this column. `more` is added to its description. */
export const Quantidade = (kind: 'integer' | 'sum', width: number, more = ''): Decorate => {
  const description = `How much, in the unit of the material${more}`;
  return Cell(kind, { title: 'Quantidade', description, width, total: true });
};

/** Null if the material is controlled without one, because it is in the map of the Federal Police. */
export const IdTipoControle = (): Decorate =>
  Column('integer', { description: 'Key of the control type', nullable: true });

/** `under`: the column below whose value a PDF shows it. */
export const OrgaoControlador = (description: string, width: number, under?: string): Decorate =>
  Cell('text', {
    title: 'Órgão controlador',
    description,
    nullable: true,
    width,
    under,
  });

/** Stands after the older columns of a spreadsheet, so that they stay where old clients know them. */
export const RotuloExercito = (under: string): Decorate =>
  Cell('text', {
    title: 'Rótulo do Exército',
    description: "Label of the Army's list of controlled products (PCE), if the material is on it",
    nullable: true,
    width: 20,
    under,
  });

/** Tells materials of the same name apart in sums. It stands last, for the same reason. */
export const NumeroMaterial = (): Decorate =>
  Cell('integer', {
    title: 'Nº do material',
    description: 'Key of the material',
    width: 9,
    sheetOnly: true,
  });

export const IdLocalResponsavel = (): Decorate =>
  Column('integer', { description: 'Key of the location that answers for it' });

export const LocalResponsavel = (description: string, width: number): Decorate =>
  Cell('text', { title: 'Local responsável', description, width });

export const IdLocalArmazenado = (): Decorate =>
  Column('integer', { description: 'Key of the location where it is stored' });

/** A location that answers for a material and stores it is named once. */
export const LocalArmazenado = (description: string, width: number): Decorate =>
  Cell('text', {
    title: 'Local de armazenamento',
    description,
    width,
    under: 'localResponsavel',
    onlyIfOther: true,
  });

export const Operacao = (): Decorate =>
  Cell('text', {
    title: 'Operação',
    description: 'Kind of movement; `Estorno de …` for a reversal',
    width: 16,
  });

export const QtEstornada = (): Decorate =>
  Column('integer', { description: 'How much of it reversals have undone since' });

export const Estorno = (): Decorate =>
  Cell('text', {
    title: 'Estorno',
    description: 'Whether it is a reversal',
    oneOf: flags,
    width: 8,
    align: 'center',
    // The operation is already shown in another column.
    sheetOnly: true,
  });
