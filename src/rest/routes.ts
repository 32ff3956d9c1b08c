import type { Route } from './route.ts';
import { academico } from './routes/academico.ts';
import { almoxarifado } from './routes/almoxarifado.ts';
import { institucional } from './routes/institucional.ts';
import { diretorio } from './routes/diretorio.ts';
import { arquivos } from './routes/arquivos.ts';
import { login } from './routes/login.ts';
import { permissoes } from './routes/permissoes.ts';
import { relatorios } from './routes/relatorios.ts';
import { beyond } from './routes/beyond.ts';

/** All REST operations: those of the specification by area, and those beyond it. */
export const routes: readonly Route[] = [
  ...academico,
  ...almoxarifado,
  ...arquivos,
  ...diretorio,
  ...institucional,
  ...login,
  ...permissoes,
  ...relatorios,
  ...beyond,
];
