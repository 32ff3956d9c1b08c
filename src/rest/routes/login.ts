import { area, post, put } from '../route.ts';

export const login = area('/auth', [
  post('/login', 'entrar', { status: 200, headers: { appversion: 'Version of the calling application' } }),
  put('/senha', 'alterarSenha'),
]);
