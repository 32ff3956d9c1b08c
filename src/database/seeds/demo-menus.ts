/** Other systems of the demo, whose permissions the service keeps; the last one is out of use. */
export const demoSystems = [
  {
    sigla: 'PORTAL',
    nome: 'Portal do Servidor',
    descricao: 'Serviços para docentes e técnicos',
    tipo: 'W',
    idOrgao: 12,
    paginaInicial: 'https://portal.universidade.example/inicio',
    situacao: 'A',
  },
  {
    sigla: 'SGLAB',
    nome: 'Sistema de Gestão de Laboratórios',
    descricao: 'Reserva de equipamentos, substituído pelo portal',
    tipo: 'D',
    idOrgao: 7,
    paginaInicial: 'https://sglab.universidade.example/',
    situacao: 'I',
  },
] as const;

/** The side menu of the service itself: menus in order, with the controller of each line. */
export const demoMenus = [
  {
    nome: 'Almoxarifado de químicos',
    descricao: 'Catálogo, estoque e movimentações',
    itens: [
      { nome: 'Materiais', controller: 'almoxarifadoquimicos/materiais' },
      { nome: 'Lotes', controller: 'almoxarifadoquimicos/lotes' },
      { nome: 'Notas fiscais', controller: 'almoxarifadoquimicos/notas-fiscais' },
      { nome: 'Estoque', controller: 'almoxarifadoquimicos/estoques' },
      { nome: 'Movimentações', controller: 'almoxarifadoquimicos/movimentacoes-estoque' },
      { nome: 'Aprovações', controller: 'almoxarifadoquimicos/aprova-movimentacoes' },
    ],
  },
  {
    nome: 'Acadêmico',
    descricao: 'Discentes e planos de ensino',
    itens: [
      { nome: 'Vínculos de discentes', controller: 'academico/vinculo-discente' },
      { nome: 'Atividades do currículo', controller: 'academico/atividade-curriculo-discente' },
      { nome: 'Situações de atividades', controller: 'academico/situacoes-atividade-curriculo' },
      { nome: 'Planos de ensino', controller: 'academico/planos-ensino' },
    ],
  },
  {
    nome: 'Institucional',
    descricao: 'Quem trabalha na universidade',
    itens: [
      { nome: 'Funcionários ativos', controller: 'institucional/funcionarios-ativos' },
      { nome: 'Diretório e contas gerenciais', controller: 'institucional/usuarios-ldap' },
    ],
  },
  {
    nome: 'Arquivos digitais',
    descricao: 'Documentos anexados a registros',
    itens: [{ nome: 'Arquivos', controller: 'arquivosdigitais/arquivos-digitais' }],
  },
  {
    nome: 'Relatórios',
    descricao: 'Estoque, substâncias controladas e planos de ensino',
    itens: [
      { nome: 'Materiais estocados', controller: 'relatorios/almoxarifado-quimicos/materiais-estocados' },
      { nome: 'Saída de materiais', controller: 'relatorios/almoxarifado-quimicos/saida-materiais' },
      { nome: 'Materiais controlados', controller: 'relatorios/almoxarifado-quimicos/materiais-controlados' },
      { nome: 'Planos cadastrados', controller: 'relatorios/planos-ensino/planos-cadastrados' },
    ],
  },
  {
    nome: 'Administração',
    descricao: 'Quem pode o quê',
    itens: [
      { nome: 'Perfis', controller: 'permissoes/perfis' },
      { nome: 'Permissões', controller: 'permissoes/permissoes' },
      { nome: 'Acesso ao ambiente', controller: 'permissoes/acesso-ambiente' },
    ],
  },
] as const;
