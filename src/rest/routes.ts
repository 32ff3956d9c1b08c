import type { Route } from './route.ts';
import { almoxarifado } from './routes/almoxarifado.ts';
import { diretorio } from './routes/diretorio.ts';
import { login } from './routes/login.ts';
import { permissoes } from './routes/permissoes.ts';

/** Every REST operation. A new one is a row in its area's file. */
export const routes: readonly Route[] = [...almoxarifado, ...diretorio, ...login, ...permissoes];
