import { Lotacao } from '../../entities/almoxarifado/lotacao.ts';
import { Importable } from '../importable.ts';

export const lotacoes = new Importable('lotacoes', Lotacao, {
  managedBy: ['almoxarifadoquimicos/locais'],
  key: ['sigla'],
  columns: ['sigla', 'nome'],
});
