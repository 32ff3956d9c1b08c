import { academico } from './academico.ts';
import { almoxarifado } from './almoxarifado.ts';
import { arquivos } from './arquivos.ts';
import { controlados } from './controlados.ts';
import { estoque } from './estoque.ts';
import { geral } from './geral.ts';
import { institucional } from './institucional.ts';
import { mudancas } from './mudancas.ts';
import { permissoes } from './permissoes.ts';
import { relatorios } from './relatorios.ts';

/** The catalogues of all areas. */
export const catalogues = [
  geral,
  academico,
  almoxarifado,
  estoque,
  controlados,
  arquivos,
  institucional,
  mudancas,
  permissoes,
  relatorios,
];

/** Every text of the OpenAPI document in Portuguese, by the English one, except titles of errors. */
export const texts: Readonly<Record<string, string>> = Object.assign({}, ...catalogues);
