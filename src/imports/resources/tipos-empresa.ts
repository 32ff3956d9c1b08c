import { TipoEmpresa } from '../../entities/almoxarifado/tipo-empresa.ts';
import { Importable } from '../importable.ts';

export const tiposEmpresa = new Importable('tipos-empresa', TipoEmpresa, {
  managedBy: ['almoxarifadoquimicos/tipos-empresas'],
  key: ['descricao'],
  columns: ['descricao', 'obrigaCnpj'],
});
