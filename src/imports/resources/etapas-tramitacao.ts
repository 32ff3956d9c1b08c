import { EtapaTramitacao } from '../../entities/academico/etapa-tramitacao.ts';
import { wholeNumber } from '../formats.ts';
import { Importable } from '../importable.ts';

export const etapasTramitacao = new Importable('etapas-tramitacao', EtapaTramitacao, {
  managedBy: ['academico/planos-ensino'],
  key: ['descricao'],
  columns: ['descricao', 'ordem'],
  formats: { ordem: wholeNumber(1) },
});
