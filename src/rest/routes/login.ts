import { area, post, put } from '../route.ts';

export const login = area('/auth', [
  post('/login', 'entrar', { status: 200 }),
  put('/senha', 'alterarSenha'),
]);
