import { area, get } from '../route.ts';

export const institucional = area('/institucional', [
  get('/funcionarios-ativos', 'funcionariosAtivos', {
    spelled: { orderByUltimaAlteracao: 'ordernarByUltimaAlteracao' },
  }),
  get('/funcionarios-ativos/{id}', 'funcionarioAtivo'),

  get('/noticias', 'noticias', { usual: { items: 5 }, without: ['page', 'itemsPerPage'] }),
]);
