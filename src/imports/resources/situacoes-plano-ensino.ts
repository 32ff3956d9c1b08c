import { SituacaoPlanoEnsino } from '../../entities/academico/situacao-plano-ensino.ts';
import { Importable } from '../importable.ts';

export const situacoesPlanoEnsino = new Importable('situacoes-plano-ensino', SituacaoPlanoEnsino, {
  managedBy: ['academico/planos-ensino'],
  key: ['codigo'],
  columns: ['codigo', 'descricao'],
});
