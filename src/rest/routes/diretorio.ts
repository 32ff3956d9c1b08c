import { area, get, put } from '../route.ts';

/** What is to be done with an entry stands in the query, though it is a PUT. */
const acts = [
  'editarContasGerenciais',
  'suspenderConta',
  'adicionarContaGerencialCvr',
  'adicionarContaGerencialSenha',
  'gerarCodigoCvr',
];

export const diretorio = area('/institucional', [
  get('/usuarios-ldap', 'usuariosDiretorio'),
  get('/usuarios-ldap/{email}', 'usuarioDiretorio'),
  put('/usuarios-ldap/{email}', 'atualizarUsuarioDiretorio', { query: acts, throttled: true }),
]);
