import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { decimalWithin } from '../formats.ts';
import { Importable } from '../importable.ts';

export const unidadesMedida = new Importable('unidades-medida', UnidadeMedida, {
  managedBy: ['almoxarifadoquimicos/unidades-medida'],
  key: ['sigla'],
  columns: ['sigla', 'descricao', 'unidadeControle', 'fatorControle'],
  formats: { fatorControle: decimalWithin(0) },
});
