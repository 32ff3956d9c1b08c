import { MATERIALS_CONTROLLER } from '../../domain/material-changes.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { Importable } from '../importable.ts';

export const tiposControle = new Importable('tipos-controle', TipoControle, {
  // A type also says whether its materials need an approval, and stand in the map.
  managedBy: ['almoxarifadoquimicos/tipos-controle', MATERIALS_CONTROLLER],
  key: ['descricao'],
  columns: ['descricao', 'orgaoControlador', 'exigeAprovacao', 'mapaPf'],
});
