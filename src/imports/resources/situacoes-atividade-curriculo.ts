import { SituacaoAtividadeCurriculo } from '../../entities/academico/situacao-atividade-curriculo.ts';
import { Importable } from '../importable.ts';

export const situacoesAtividadeCurriculo = new Importable(
  'situacoes-atividade-curriculo',
  SituacaoAtividadeCurriculo,
  { managedBy: ['academico/situacoes-atividade-curriculo'], key: ['sigla'], columns: ['sigla', 'situacao'] },
);
