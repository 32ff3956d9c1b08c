/** Departments, with the laboratories and store rooms of each; all fictional. The first manager is `tecnico`. */
export const demoPlaces = [
  {
    sigla: 'DQI',
    nome: 'Departamento de Química',
    locais: [
      { sigla: 'ALMOX', nome: 'Almoxarifado central de químicos', responsavel: 'almoxarife' },
      { sigla: 'LQO', nome: 'Laboratório de Química Orgânica', responsavel: 'tecnico' },
      { sigla: 'LQA', nome: 'Laboratório de Química Analítica', responsavel: 'docente' },
    ],
  },
  {
    sigla: 'DBI',
    nome: 'Departamento de Biologia',
    locais: [{ sigla: 'LBM', nome: 'Laboratório de Biologia Molecular', responsavel: 'almoxarife' }],
  },
  {
    sigla: 'DEM',
    nome: 'Departamento de Engenharia de Materiais',
    locais: [
      { sigla: 'LCM', nome: 'Laboratório de Caracterização de Materiais', responsavel: 'admin' },
      { sigla: 'LPM', nome: 'Laboratório de Polímeros', responsavel: 'admin' },
    ],
  },
] as const;

export const demoCompanyTypes = [
  { descricao: 'Fabricante', obrigaCnpj: 'N' },
  { descricao: 'Fornecedor', obrigaCnpj: 'S' },
  { descricao: 'Transportadora', obrigaCnpj: 'S' },
] as const;

/** Fictional companies; numbers are well-formed, and one is of the alphanumeric kind of 2026. */
export const demoCompanies = [
  { nome: 'Ácidos & Bases Indústria Química', cnpj: '11222333000181', tipo: 'Fabricante' },
  { nome: 'Solventes do Sul', cnpj: '22333444000105', tipo: 'Fabricante' },
  { nome: 'Nordquímica AG', cnpj: null, tipo: 'Fabricante' },
  { nome: 'Reagentes Paulista', cnpj: '33444555000130', tipo: 'Fornecedor' },
  { nome: 'Distribuidora Âmbar', cnpj: '12ABC34501DE35', tipo: 'Fornecedor' },
  { nome: 'Central de Vidrarias e Reagentes', cnpj: '44555666000164', tipo: 'Fornecedor' },
  { nome: 'Transportes Perigosos Capivari', cnpj: '55666777000199', tipo: 'Transportadora' },
  { nome: 'Expresso Araucária', cnpj: '66777888000123', tipo: 'Transportadora' },
] as const;
