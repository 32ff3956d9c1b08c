import { Int } from 'type-graphql';
import { Local } from '../entities/almoxarifado/local.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { TipoControle } from '../entities/almoxarifado/tipo-controle.ts';
import type { FieldError } from '../errors.ts';
import { DateScalar } from '../entities/scalars.ts';
import { Filter } from '../listing/args.ts';
import { fieldMessages } from '../messages.ts';

/*
 * Filters of the storeroom reports. They are not a base class of the args, because documents list the filters in the
 * order of their declaration, which differs between reports.
 */

type Decorate = ReturnType<typeof Filter>;

export const ByMaterial = (): Decorate =>
  Filter(() => Int, 'idMaterial', { title: 'Material', names: [() => Material, 'titulo'] });

export const ByControlType = (): Decorate =>
  Filter(() => Int, 'idTipoControle', {
    title: 'Tipo de controle',
    names: [() => TipoControle, 'descricao'],
  });

/** By the key of a location. */
export const ByPlace = (path: string | readonly string[], title: string): Decorate =>
  Filter(() => Int, path, { title, names: [() => Local, 'nome'] });

/** Rows of this day or later. */
export const FirstDay = (path: string): Decorate =>
  Filter(() => DateScalar, path, { match: 'fromDay', title: 'Início do período' });

/** Rows of this day or earlier. */
export const LastDay = (path: string): Decorate =>
  Filter(() => DateScalar, path, { match: 'untilDay', title: 'Fim do período' });

interface Period {
  dtPeriodoInicial?: string | null;
  dtPeriodoFinal?: string | null;
}

/** The error of a period whose first day comes after its last. */
export function periodErrors({ dtPeriodoInicial: first, dtPeriodoFinal: last }: Period): FieldError[] {
  return first && last && first > last
    ? [{ field: 'dtPeriodoFinal', message: fieldMessages.beforeStart }]
    : [];
}
