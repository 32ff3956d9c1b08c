import type { Route } from './route.ts';
import { almoxarifado } from './routes/almoxarifado.ts';
import { arquivos } from './routes/arquivos.ts';
import { login } from './routes/login.ts';
import { permissoes } from './routes/permissoes.ts';

/** Every REST operation. A new one is a row in its area's file. */
export const routes: readonly Route[] = [...almoxarifado, ...arquivos, ...login, ...permissoes];
