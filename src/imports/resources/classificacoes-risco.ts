import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Importable } from '../importable.ts';

export const classificacoesRisco = new Importable('classificacoes-risco', ClassificacaoRisco, {
  managedBy: ['almoxarifadoquimicos/classificacoes-risco'],
  key: ['risco'],
  columns: ['risco', 'descricao', 'iconeRisco.nome', 'palavraAdvertencia', 'precaucao'],
});
