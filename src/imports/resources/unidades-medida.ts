import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { Importable } from '../importable.ts';

export const unidadesMedida = new Importable('unidades-medida', UnidadeMedida, {
  managedBy: ['almoxarifadoquimicos/unidades-medida'],
  key: ['sigla'],
  columns: ['sigla', 'descricao', 'unidadeControle', 'fatorControle'],
});
