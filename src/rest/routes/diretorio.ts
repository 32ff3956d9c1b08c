import { area, get, put } from '../route.ts';

/** The query parameters of this PUT select the action. */
const acts = [
  'editarContasGerenciais',
  'suspenderConta',
  'adicionarContaGerencialCvr',
  'adicionarContaGerencialSenha',
  'gerarCodigoCvr',
];

export const diretorio = area('/institucional', [
  get('/usuarios-ldap', 'usuariosDiretorio', { without: ['filter', 'orderBy'] }),
  get('/usuarios-ldap/{email}', 'usuarioDiretorio'),
  put('/usuarios-ldap/{email}', 'atualizarUsuarioDiretorio', { query: acts }),
]);
