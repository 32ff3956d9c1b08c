/** The people of the demo, each with the password `demo-<usuario>-2026` (contract 9). Names and addresses are fictional. */
export const demoPeople = [
  { usuario: 'admin', nome: 'Helena Duarte Prado', perfil: 'Administrador' },
  { usuario: 'almoxarife', nome: 'Antônio Ferraz Lima', perfil: 'Almoxarife' },
  { usuario: 'tecnico', nome: 'Beatriz Nogueira Sá', perfil: 'Técnico de laboratório' },
  { usuario: 'docente', nome: 'Caio Montenegro Reis', perfil: null },
  { usuario: 'discente', nome: 'Júlia Araújo Conceição', nomeSocial: 'Ju Conceição', perfil: null },
] as const;

/** What each profile may do: a level on the controllers whose name begins so; no prefix is every controller. */
export const demoProfiles = [
  {
    nome: 'Administrador',
    descricao: 'Administra o serviço inteiro',
    recurso: 'Todo o serviço',
    prefixo: null,
    nivel: 3,
  },
  {
    nome: 'Almoxarife',
    descricao: 'Responde pelo almoxarifado de químicos',
    recurso: 'Almoxarifado de químicos',
    prefixo: 'almoxarifadoquimicos/',
    nivel: 3,
  },
  {
    nome: 'Técnico de laboratório',
    descricao: 'Usa o almoxarifado de químicos',
    recurso: 'Almoxarifado de químicos',
    prefixo: 'almoxarifadoquimicos/',
    nivel: 2,
  },
] as const;

export const demoPassword = (usuario: string): string => `demo-${usuario}-2026`;
export const DEMO_API_KEY = 'sii-demo-key';
