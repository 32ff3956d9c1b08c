import { almoxarifado } from './almoxarifado.ts';
import { arquivos } from './arquivos.ts';
import { estoque } from './estoque.ts';
import { institucional } from './institucional.ts';
import { permissoes } from './permissoes.ts';
import type { Examples } from './example.ts';

/** The examples of all areas. */
export const examples: Examples = {
  ...almoxarifado,
  ...arquivos,
  ...estoque,
  ...institucional,
  ...permissoes,
};
