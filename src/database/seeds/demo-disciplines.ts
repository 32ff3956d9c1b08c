/** A discipline of the demo, with what its teaching plans say. */
export interface DemoDiscipline {
  codigo: string;
  nome: string;
  /** `sigla` of one of `demoPlaces`. */
  departamento: string;
  cargaHoraria: number;
  /** `usuario` of one of `demoPeople` or `demoTeachers`. */
  docentes: readonly string[];
  /** `codigo` of some of `demoCourses`. */
  cursos: readonly string[];
  ementa: string;
  objetivos: string;
  programa: readonly string[];
  kind: keyof typeof demoMethods;
  basica: readonly string[];
  complementar: readonly string[];
}

/** How disciplines are taught and assessed, by their kind. */
export const demoMethods = {
  lecture: {
    metodologia:
      'Aulas expositivas dialogadas, com resolução de exercícios em grupo e leitura prévia dos textos indicados. Listas de exercícios semanais são discutidas em sala e no horário de atendimento.\nO ambiente virtual da disciplina reúne o material das aulas, as listas e os avisos.',
    avaliacao:
      '- Duas provas escritas (P1 e P2), com peso 4 cada uma;\n- Listas de exercícios (L), com peso 2.\nMédia final: MF = (4·P1 + 4·P2 + 2·L) / 10. É aprovado quem obtém MF ≥ 6,0 e frequência ≥ 75 %. Com 4,0 ≤ MF < 6,0 o estudante tem direito a exame final sobre todo o programa.',
  },
  laboratory: {
    metodologia:
      'Aulas teóricas de preparação, seguidas de práticas de laboratório em duplas, com caderno de laboratório individual. O uso de jaleco, óculos de segurança e calçado fechado é obrigatório.\nCada prática é concluída pela discussão dos resultados e de suas incertezas.',
    avaliacao:
      '- Prova escrita (P), com peso 5;\n- Relatórios das práticas (R), com peso 3, entregues até uma semana depois de cada uma;\n- Seminário (S), com peso 2.\nMédia final: MF = (5·P + 3·R + 2·S) / 10. É aprovado quem obtém MF ≥ 6,0 e frequência ≥ 75 % nas aulas teóricas e nas práticas.',
  },
} as const;

export const demoDisciplines: readonly DemoDiscipline[] = [
  {
    codigo: 'QUI0101',
    nome: 'Química Geral I',
    departamento: 'DQI',
    cargaHoraria: 60,
    docentes: ['s1204531'],
    cursos: ['QUI-B', 'QUI-L', 'EMT-B'],
    kind: 'lecture',
    ementa:
      'Matéria e medidas. Estrutura atômica e tabela periódica. Ligações químicas. Estequiometria. Estados da matéria. Soluções.',
    objetivos:
      'Compreender a estrutura da matéria e relacioná-la com as propriedades das substâncias; aplicar o cálculo estequiométrico a reações e soluções.',
    programa: [
      '1. Matéria, medidas e algarismos significativos',
      '2. Estrutura atômica: modelos, números quânticos, configuração eletrônica',
      '3. Propriedades periódicas',
      '4. Ligações iônica, covalente e metálica; geometria molecular',
      '5. Estequiometria: fórmulas, equações, reagente limitante e rendimento',
      '6. Gases, líquidos e sólidos',
      '7. Soluções: concentração e propriedades coligativas',
    ],
    basica: [
      'ATKINS, P.; JONES, L.; LAVERMAN, L. Princípios de química: questionando a vida moderna e o meio ambiente. 7. ed. Porto Alegre: Bookman, 2018.',
      'BROWN, T. L. et al. Química: a ciência central. 13. ed. São Paulo: Pearson, 2016.',
    ],
    complementar: [
      'KOTZ, J. C.; TREICHEL, P. M.; WEAVER, G. C. Química geral e reações químicas. São Paulo: Cengage, 2015.',
    ],
  },
  {
    codigo: 'QUI0213',
    nome: 'Química Orgânica I',
    departamento: 'DQI',
    cargaHoraria: 60,
    docentes: ['s1198207', 's1204531'],
    cursos: ['QUI-B', 'QUI-L'],
    kind: 'lecture',
    ementa:
      'Estrutura e ligação de compostos orgânicos. Acidez e basicidade. Estereoquímica. Alcanos, alcenos e alcinos. Substituição nucleofílica e eliminação.',
    objetivos:
      'Reconhecer funções orgânicas, representar a estereoquímica de moléculas e propor mecanismos de reações de substituição, eliminação e adição.',
    programa: [
      '1. Ligação, hibridização e ressonância',
      '2. Acidez e basicidade: pKₐ e estrutura',
      '3. Alcanos e cicloalcanos; análise conformacional',
      '4. Estereoquímica: quiralidade, rotação específica [α], configurações R e S',
      '5. Substituição nucleofílica: SN1 e SN2',
      '6. Eliminação: E1 e E2, hidrogênios α e β',
      '7. Adição a alcenos e alcinos',
    ],
    basica: [
      'SOLOMONS, T. W. G.; FRYHLE, C. B.; SNYDER, S. A. Química orgânica. 12. ed. Rio de Janeiro: LTC, 2018. v. 1.',
      'BRUICE, P. Y. Química orgânica. 4. ed. São Paulo: Pearson, 2006. v. 1.',
    ],
    complementar: ['CLAYDEN, J.; GREEVES, N.; WARREN, S. Organic chemistry. 2. ed. Oxford: OUP, 2012.'],
  },
  {
    codigo: 'QUI0320',
    nome: 'Química Analítica Quantitativa',
    departamento: 'DQI',
    cargaHoraria: 90,
    docentes: ['docente', 's1198207'],
    cursos: ['QUI-B', 'QUI-L'],
    kind: 'laboratory',
    ementa:
      'Erros e tratamento de dados analíticos. Gravimetria. Volumetrias de neutralização, precipitação, complexação e oxirredução. Introdução à espectrofotometria.',
    objetivos:
      'Escolher e executar métodos clássicos de análise quantitativa, avaliar a incerteza dos resultados e expressá-los corretamente; operar com segurança soluções diluídas, de µg/L a g/L.',
    programa: [
      '1. Erros, exatidão e precisão; teste t e intervalo de confiança (α = 0,05)',
      '2. Amostragem e preparo da amostra',
      '3. Gravimetria: precipitação, filtração e calcinação',
      '4. Volumetria de neutralização',
      '4.1 Curvas de titulação de ácidos polipróticos',
      '4.2 Escolha do indicador',
      '5. Volumetria de precipitação: métodos de Mohr e Volhard',
      '6. Complexometria com EDTA: constante condicional e dureza da água',
      '7. Volumetria de oxirredução: permanganometria e iodometria',
      '8. Espectrofotometria: lei de Beer, A = ε·b·c; determinação de ferro com λ = 510 nm',
    ],
    basica: [
      'SKOOG, D. A. et al. Fundamentos de química analítica. 9. ed. São Paulo: Cengage, 2015.',
      'HARRIS, D. C. Análise química quantitativa. 9. ed. Rio de Janeiro: LTC, 2017.',
    ],
    complementar: [
      'BACCAN, N. et al. Química analítica quantitativa elementar. 3. ed. São Paulo: Blucher, 2001.',
      'MENDHAM, J. et al. Vogel: análise química quantitativa. 6. ed. Rio de Janeiro: LTC, 2002.',
    ],
  },
  {
    codigo: 'QUI0415',
    nome: 'Termodinâmica Química',
    departamento: 'DQI',
    cargaHoraria: 60,
    docentes: ['docente'],
    cursos: ['QUI-B', 'EMT-B'],
    kind: 'lecture',
    ementa:
      'Leis da termodinâmica. Termoquímica. Entropia e energia livre. Equilíbrio de fases e equilíbrio químico. Soluções e potencial químico.',
    objetivos:
      'Aplicar as leis da termodinâmica a sistemas químicos; prever a espontaneidade (ΔG ≤ 0) e a posição do equilíbrio de reações e de transições de fase.',
    programa: [
      '1. Gases reais e equação de van der Waals',
      '2. Primeira lei: ΔU = q + w; entalpia e termoquímica',
      '3. Segunda lei: ΔS do universo ≥ 0',
      '4. Energias de Helmholtz e de Gibbs; potencial químico µ',
      '5. Equilíbrio de fases: equação de Clapeyron, regra das fases',
      '6. Soluções ideais e reais: atividade e coeficiente γ',
      '7. Equilíbrio químico: ΔG° = −RT ln K',
    ],
    basica: ['ATKINS, P.; DE PAULA, J. Físico-química. 10. ed. Rio de Janeiro: LTC, 2018. v. 1.'],
    complementar: [
      'LEVINE, I. N. Físico-química. 6. ed. Rio de Janeiro: LTC, 2012. v. 1.',
      'CASTELLAN, G. Fundamentos de físico-química. Rio de Janeiro: LTC, 1986.',
    ],
  },
  {
    codigo: 'BIO0110',
    nome: 'Bioquímica',
    departamento: 'DBI',
    cargaHoraria: 75,
    docentes: ['s1337450'],
    cursos: ['CBI-B', 'CBI-L', 'QUI-B'],
    kind: 'laboratory',
    ementa:
      'Água e tampões. Aminoácidos e proteínas. Enzimas. Carboidratos e lipídios. Bioenergética. Vias centrais do metabolismo e sua regulação.',
    objetivos:
      'Relacionar a estrutura das biomoléculas com a função que desempenham e descrever as vias centrais do metabolismo e sua regulação.',
    programa: [
      '1. Água, pH e tampões biológicos',
      '2. Aminoácidos e proteínas: hélice α e folha β',
      '3. Enzimas: cinética de Michaelis-Menten, inibição',
      '4. Carboidratos, lipídios e membranas',
      '5. Glicólise, ciclo de Krebs e fosforilação oxidativa',
      '6. β-oxidação e síntese de ácidos graxos',
      '7. Integração do metabolismo',
    ],
    basica: [
      'NELSON, D. L.; COX, M. M. Princípios de bioquímica de Lehninger. 7. ed. Porto Alegre: Artmed, 2018.',
    ],
    complementar: [
      'BERG, J. M.; TYMOCZKO, J. L.; STRYER, L. Bioquímica. 7. ed. Rio de Janeiro: Guanabara Koogan, 2014.',
    ],
  },
  {
    codigo: 'BIO0225',
    nome: 'Biologia Molecular',
    departamento: 'DBI',
    cargaHoraria: 60,
    docentes: ['s1401122', 's1337450'],
    cursos: ['CBI-B'],
    kind: 'laboratory',
    ementa:
      'Ácidos nucleicos. Replicação, transcrição e tradução. Regulação da expressão gênica. Técnicas de biologia molecular.',
    objetivos:
      'Descrever o fluxo da informação genética e executar técnicas básicas: extração de DNA, PCR e eletroforese.',
    programa: [
      '1. Estrutura do DNA e do RNA',
      '2. Replicação e reparo',
      '3. Transcrição: subunidade σ e promotores',
      '4. Tradução e código genético',
      '5. Regulação gênica em procariotos e eucariotos',
      '6. PCR, eletroforese, clonagem e sequenciamento',
      '7. Edição de genomas',
    ],
    basica: ['ALBERTS, B. et al. Biologia molecular da célula. 6. ed. Porto Alegre: Artmed, 2017.'],
    complementar: ['WATSON, J. D. et al. Biologia molecular do gene. 7. ed. Porto Alegre: Artmed, 2015.'],
  },
  {
    codigo: 'BIO0301',
    nome: 'Ecologia de Populações',
    departamento: 'DBI',
    cargaHoraria: 60,
    docentes: ['s1401122'],
    cursos: ['CBI-L', 'CBI-B'],
    kind: 'lecture',
    ementa:
      'Distribuição e abundância. Tabelas de vida. Crescimento populacional. Competição, predação e mutualismo. Metapopulações e conservação.',
    objetivos:
      'Estimar parâmetros populacionais e interpretar modelos de crescimento e de interação entre espécies.',
    programa: [
      '1. Métodos de amostragem de populações',
      '2. Tabelas de vida e taxa finita de crescimento λ',
      '3. Crescimento exponencial e logístico',
      '4. Competição: coeficientes α do modelo de Lotka-Volterra',
      '5. Predação e parasitismo',
      '6. Metapopulações e viabilidade',
    ],
    basica: [
      'BEGON, M.; TOWNSEND, C. R.; HARPER, J. L. Ecologia: de indivíduos a ecossistemas. 4. ed. Porto Alegre: Artmed, 2007.',
    ],
    complementar: ['GOTELLI, N. J. Ecologia. 4. ed. Londrina: Planta, 2009.'],
  },
  {
    codigo: 'EMT0201',
    nome: 'Ciência dos Materiais',
    departamento: 'DEM',
    cargaHoraria: 60,
    docentes: ['s1275984'],
    cursos: ['EMT-B'],
    kind: 'lecture',
    ementa:
      'Estrutura cristalina. Imperfeições. Difusão. Propriedades mecânicas. Diagramas de fases. Metais, cerâmicas, polímeros e compósitos.',
    objetivos: 'Relacionar estrutura, processamento, propriedades e desempenho dos materiais de engenharia.',
    programa: [
      '1. Estruturas cristalinas; índices de Miller',
      '2. Imperfeições: lacunas, discordâncias e contornos de grão',
      '3. Difusão: leis de Fick',
      '4. Propriedades mecânicas: ensaio de tração, σ = E·ε',
      '5. Diagramas de fases: sistema Fe–C, ferrita α e austenita γ',
      '6. Cerâmicas, polímeros e compósitos',
    ],
    basica: [
      'CALLISTER, W. D.; RETHWISCH, D. G. Ciência e engenharia de materiais: uma introdução. 9. ed. Rio de Janeiro: LTC, 2016.',
    ],
    complementar: [
      'ASKELAND, D. R.; WRIGHT, W. J. Ciência e engenharia dos materiais. 2. ed. São Paulo: Cengage, 2014.',
    ],
  },
  {
    codigo: 'EMT0305',
    nome: 'Polímeros',
    departamento: 'DEM',
    cargaHoraria: 45,
    docentes: ['s1275984', 's1150376'],
    cursos: ['EMT-B', 'QUI-B'],
    kind: 'laboratory',
    ementa:
      'Polimerização. Massa molar e sua distribuição. Estado sólido. Reologia. Degradação e reciclagem.',
    objetivos:
      'Planejar a síntese e a caracterização de polímeros e escolher o processamento adequado a cada um.',
    programa: [
      '1. Polimerização em cadeia e em etapas',
      '2. Massa molar: médias numérica e ponderal, dispersidade Đ',
      '3. Cristalinidade; temperaturas de transição vítrea e de fusão',
      '4. Viscoelasticidade e reologia do fundido: η e taxa de cisalhamento',
      '5. Degradação, estabilização e reciclagem',
    ],
    basica: ['CANEVAROLO JR., S. V. Ciência dos polímeros. 3. ed. São Paulo: Artliber, 2010.'],
    complementar: ['MANO, E. B.; MENDES, L. C. Introdução a polímeros. 2. ed. São Paulo: Blucher, 1999.'],
  },
  {
    codigo: 'EMT0410',
    nome: 'Caracterização de Materiais',
    departamento: 'DEM',
    cargaHoraria: 60,
    docentes: ['s1150376', 'docente'],
    cursos: ['EMT-B'],
    kind: 'laboratory',
    ementa:
      'Difração de raios X. Microscopias óptica e eletrônica. Análise térmica. Espectroscopias. Ensaios mecânicos.',
    objetivos:
      'Escolher técnicas de caracterização e interpretar difratogramas, micrografias, termogramas e espectros.',
    programa: [
      '1. Difração de raios X: lei de Bragg, n·λ = 2·d·sen θ',
      '2. Preparação metalográfica e microscopia óptica (resolução ≈ 0,2 µm)',
      '3. Microscopia eletrônica e microanálise',
      '4. Análise térmica: TG, DTA e DSC',
      '5. Espectroscopias no infravermelho e Raman',
      '6. Dureza, tração e impacto',
    ],
    basica: [
      'LENG, Y. Materials characterization: introduction to microscopic and spectroscopic methods. 2. ed. Weinheim: Wiley-VCH, 2013.',
    ],
    complementar: [
      'CULLITY, B. D.; STOCK, S. R. Elements of X-ray diffraction. 3. ed. Harlow: Pearson, 2014.',
    ],
  },
];
