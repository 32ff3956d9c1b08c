import type { Route } from '../route.ts';
import { reportsBeyond } from './relatorios.ts';

/** Operations that are not in the specification. `npm run new:resource` adds those of a resource. */
export const beyond: readonly Route[] = [
  {
    method: 'GET',
    path: '/almoxarifadoquimicos/etiquetas/locais',
    field: 'etiquetasLocais',
    document: 'etiquetas',
  },
  {
    method: 'GET',
    path: '/almoxarifadoquimicos/etiquetas/lotes',
    field: 'etiquetasLotes',
    document: 'etiquetas',
  },
  ...reportsBeyond,
];
