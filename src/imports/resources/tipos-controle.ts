import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { Importable } from '../importable.ts';

export const tiposControle = new Importable('tipos-controle', TipoControle, {
  managedBy: ['almoxarifadoquimicos/tipos-controle'],
  key: ['descricao'],
  columns: ['descricao', 'orgaoControlador', 'exigeAprovacao', 'mapaPf'],
});
