/** The people of the demo, each with the password `demo-<usuario>-2026` (contract 9). Names and addresses are fictional. */
export const demoPeople = [
  { usuario: 'admin', nome: 'Helena Duarte Prado', perfil: 'Administrador' },
  { usuario: 'almoxarife', nome: 'Antônio Ferraz Lima', perfil: 'Almoxarife' },
  { usuario: 'tecnico', nome: 'Beatriz Nogueira Sá', perfil: 'Técnico de laboratório' },
  { usuario: 'docente', nome: 'Caio Montenegro Reis', perfil: null },
  { usuario: 'discente', nome: 'Júlia Araújo Conceição', nomeSocial: 'Ju Conceição', perfil: null },
] as const;

/** The other people of the university, who have no password here. */
export const demoColleagues = [
  'Adriana Moura Tavares',
  'Alexandre Pires Quintela',
  'Aline Bastos Figueira',
  'Amanda Coelho Rezende',
  'André Luiz Sampaio',
  'Ângela Brandão Vilar',
  'Bruno Esteves Galvão',
  'Camila Rocha Seixas',
  'Carlos Eduardo Valadão',
  'Cecília Neves Portela',
  'Cláudio Amorim Leitão',
  'Daniela Furtado Brito',
  'Débora Santana Peixoto',
  'Diego Vasconcelos Reis',
  'Eduarda Lacerda Pinho',
  'Elaine Cordeiro Matos',
  'Émerson Toledo Barros',
  'Fábio Guimarães Neto',
  'Fernanda Chaves Lobato',
  'Flávia Siqueira Paes',
  'Gabriel Antunes Freire',
  'Giovana Teles Marinho',
  'Gustavo Rangel Dantas',
  'Heitor Camargo Luz',
  'Igor Benevides Farias',
  'Íris Fontoura Meireles',
  'Isabela Monteiro Cruz',
  'João Pedro Arruda',
  'José Roberto Caldas',
  'Larissa Pacheco Uchoa',
  'Leandro Queiroz Simões',
  'Luana Barreto Assis',
  'Luciana Xavier Prata',
  'Marcelo Ávila Cardoso',
  'Mariana Guedes Falcão',
  'Mateus Ornelas Viana',
  'Mônica Serra Albuquerque',
  'Natália Pontes Zanetti',
  'Otávio Leme Carneiro',
  'Patrícia Gusmão Torres',
  'Rafael Drummond Costa',
  'Renata Paiva Holanda',
  'Sérgio Borba Nunes',
  'Tatiana Franco Meneses',
  'Vinícius Alencar Dias',
] as const;

/** Colleagues who left: they are known, and may not enter. */
export const demoFormerColleagues: readonly string[] = ['Carlos Eduardo Valadão', 'Larissa Pacheco Uchoa'];

/** Colleagues with a profile. */
export const demoColleagueProfiles: Readonly<Record<string, string>> = {
  'Aline Bastos Figueira': 'Técnico de laboratório',
  'Cláudio Amorim Leitão': 'Técnico de laboratório',
  'Daniela Furtado Brito': 'Consulta de químicos',
  'Elaine Cordeiro Matos': 'Gestão de pessoas',
  'Fábio Guimarães Neto': 'Consulta de químicos',
  'Flávia Siqueira Paes': 'Protocolo e arquivo',
  'Igor Benevides Farias': 'Consulta de químicos',
  'Íris Fontoura Meireles': 'Secretaria acadêmica',
  'Luciana Xavier Prata': 'Secretaria acadêmica',
  'Patrícia Gusmão Torres': 'Secretaria acadêmica',
  'Rafael Drummond Costa': 'Gestão de pessoas',
  'Sérgio Borba Nunes': 'Almoxarife',
};

/** User name of a colleague: `angela.vilar` of Ângela Brandão Vilar. */
export function demoUserName(nome: string): string {
  const words = nome
    .normalize('NFD')
    .replaceAll(/[^a-z ]/gi, '')
    .toLowerCase()
    .split(' ');
  return `${words[0]!}.${words.at(-1)!}`;
}

/** A number that is no person's, with the right check digits: the first nine digits are of the 900 millions. */
export function demoCpf(number: number): string {
  const digits = Array.from(String(900_000_000 + number * 7919), Number);
  for (const weight of [10, 11]) {
    const sum = digits.reduce((total, digit, i) => total + digit * (weight - i), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

const storeroom = ['almoxarifadoquimicos/', 'relatorios/almoxarifado-quimicos/'];

/** What each profile may do: a level on the controllers whose name begins in one of these ways; null is every controller. */
export const demoProfiles = [
  {
    nome: 'Administrador',
    descricao: 'Administra o serviço inteiro',
    recurso: 'Todo o serviço',
    prefixos: null,
    nivel: 3,
  },
  {
    nome: 'Almoxarife',
    descricao: 'Responde pelo almoxarifado de químicos',
    recurso: 'Almoxarifado de químicos',
    prefixos: storeroom,
    nivel: 3,
  },
  {
    nome: 'Técnico de laboratório',
    descricao: 'Usa o almoxarifado de químicos',
    recurso: 'Almoxarifado de químicos',
    prefixos: storeroom,
    nivel: 2,
  },
  {
    nome: 'Secretaria acadêmica',
    descricao: 'Consulta discentes e planos de ensino',
    recurso: 'Registros acadêmicos',
    prefixos: ['academico/', 'relatorios/planos-ensino/'],
    nivel: 1,
  },
  {
    nome: 'Gestão de pessoas',
    descricao: 'Consulta funcionários e mantém contas gerenciais',
    recurso: 'Institucional',
    prefixos: ['institucional/'],
    nivel: 3,
  },
  {
    nome: 'Protocolo e arquivo',
    descricao: 'Anexa documentos a registros',
    recurso: 'Arquivos digitais',
    prefixos: ['arquivosdigitais/'],
    nivel: 2,
  },
  {
    nome: 'Consulta de químicos',
    descricao: 'Vê o que há no almoxarifado de químicos',
    recurso: 'Almoxarifado de químicos',
    prefixos: storeroom,
    nivel: 1,
  },
] as const;

export const demoPassword = (usuario: string): string => `demo-${usuario}-2026`;
export const DEMO_API_KEY = 'sii-demo-key';
