import { MATERIALS_CONTROLLER } from '../../domain/material-changes.ts';
import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { decimalWithin } from '../formats.ts';
import { Importable } from '../importable.ts';

export const unidadesMedida = new Importable('unidades-medida', UnidadeMedida, {
  // A unit also says how the quantities of its materials are reported.
  managedBy: ['almoxarifadoquimicos/unidades-medida', MATERIALS_CONTROLLER],
  key: ['sigla'],
  columns: ['sigla', 'descricao', 'unidadeControle', 'fatorControle'],
  formats: { fatorControle: decimalWithin(0) },
});
