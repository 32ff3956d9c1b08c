/** Fictional news of the university, the latest first, and how many days old each is. */
export const demoNews = [
  [
    1,
    'Universidade abre inscrições para bolsas de iniciação científica',
    'São 240 bolsas em todas as áreas; as inscrições vão até o fim do mês.',
  ],
  [
    3,
    'Departamento de Química inaugura laboratório de química verde',
    'O espaço reúne equipamentos para sínteses com solventes de baixo impacto.',
  ],
  [
    6,
    'Biblioteca central amplia horário durante as provas',
    'O atendimento vai até as 23 horas, também aos sábados.',
  ],
  [
    9,
    'Pesquisa mede microplásticos em rios do litoral',
    'Amostras de 18 pontos mostram concentrações maiores perto das áreas urbanas.',
  ],
  [
    13,
    'Coleta de resíduos químicos será na próxima semana',
    'Os laboratórios devem etiquetar e registrar os frascos até sexta-feira.',
  ],
  [
    17,
    'Feira das profissões recebe estudantes do ensino médio',
    'Cursos de graduação mostram suas atividades no ginásio.',
  ],
  [22, 'Docentes recebem prêmio nacional de divulgação científica', null],
  [
    28,
    'Novo sistema de almoxarifado registra movimentações em tempo real',
    'Transferências e saídas passam a ser feitas pelo próprio laboratório.',
  ],
  [
    35,
    'Conselho aprova calendário acadêmico do próximo ano',
    'As aulas do primeiro semestre começam em fevereiro.',
  ],
  [
    44,
    'Campanha de vacinação atende servidores e estudantes',
    'As doses são aplicadas no ambulatório, sem agendamento.',
  ],
  [
    58,
    'Coral universitário apresenta concerto de primavera',
    'A entrada é gratuita; o programa tem obras brasileiras do século XX.',
  ],
  [75, 'Manutenção da rede elétrica interrompe atividades no domingo', null],
] as const;
