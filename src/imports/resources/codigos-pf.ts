import { CodigoPf } from '../../entities/almoxarifado/codigo-pf.ts';
import { code } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const codigosPf = new Importable('codigos-pf', CodigoPf, {
  managedBy: ['almoxarifadoquimicos/codigos-pf'],
  key: ['codigo'],
  columns: ['codigo', 'nome', 'lista'],
  formats: { codigo: code },
});
