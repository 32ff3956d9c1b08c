import { reports } from '../../reports/catalogue/catalogue.ts';
import { get } from '../route.ts';

/** All reports, found in their folder. */
export const relatorios = [
  get('/relatorios/relatorios', 'relatorios'),
  get('/relatorios/relatorios-parametros', 'parametrosRelatorio', {
    spelled: { idRelatorio: 'id_relatorio' },
  }),
  ...[...reports.values()].map(({ path, field, spelled, strict, table }) =>
    get(path, field, { spelled, strict, report: table }),
  ),
];
