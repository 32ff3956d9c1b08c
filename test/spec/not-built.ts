/**
 * Operations of the specification that are not built yet. It must equal what is really missing: whoever builds one
 * takes its line out, and the list ends empty.
 */
export const notBuilt: readonly string[] = [
  'GET /relatorios/relatorios',
  'GET /relatorios/relatorios-parametros',
  'GET /relatorios/planos-ensino/docentes-plano-tramitacao',
  'GET /relatorios/planos-ensino/situacao-planos-curso',
  'GET /relatorios/planos-ensino/situacao-planos-departamento',
  'GET /relatorios/planos-ensino/tramitacao-atual-curso',
  'GET /relatorios/planos-ensino/planos-cadastrados',
  'GET /relatorios/planos-ensino/planos-situacao-tempo',
  'GET /relatorios/almoxarifado-quimicos/materiais-estocados',
  'GET /relatorios/almoxarifado-quimicos/saida-materiais',
  'GET /relatorios/almoxarifado-quimicos/materiais-controlados',
  'GET /relatorios/almoxarifado-quimicos/movimentacoes-materiais-controlados',
];
