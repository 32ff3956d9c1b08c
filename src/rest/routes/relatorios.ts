import type { Report } from '../../reports/report.ts';
import { reports } from '../../reports/catalogue/catalogue.ts';
import { get, type Route } from '../route.ts';

const routeOf = ({ path, field, spelled, strict, table }: Report): Route =>
  get(path, field, { spelled, strict, report: table });

/** All reports are found in their folder. */
const all = [...reports.values()];

export const relatorios = [
  get('/relatorios/relatorios', 'relatorios'),
  get('/relatorios/relatorios-parametros', 'parametrosRelatorio', {
    spelled: { idRelatorio: 'id_relatorio' },
  }),
  ...all.filter(({ beyond }) => !beyond).map(routeOf),
];

/** Reports that the specification does not have. */
export const reportsBeyond = all.filter(({ beyond }) => beyond).map(routeOf);
