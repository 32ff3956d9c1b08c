import { area, get } from '../route.ts';

export const academico = area('/academico', [
  get('/atividade-curriculo-discente', 'atividadesCurriculoDiscente', {
    // Its description says "Pagination toggle" (contract 8).
    spelled: { pagination: 'chTotal' },
  }),
  get('/planos-ensino/gerar-pdf/{id}', 'planoEnsino', { document: 'plano-ensino' }),
  get('/situacoes-atividade-curriculo', 'situacoesAtividadeCurriculo'),
  get('/vinculo-discente', 'vinculosDiscente'),
]);
