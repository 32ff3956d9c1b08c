import { Local } from '../../entities/almoxarifado/local.ts';
import { wholeNumber } from '../formats.ts';
import { Importable } from '../importable.ts';

export const locais = new Importable('locais', Local, {
  managedBy: ['almoxarifadoquimicos/locais'],
  key: ['sigla'],
  columns: ['sigla', 'nome', 'lotacao.sigla', 'restrito', 'finalidade'],
  formats: { finalidade: wholeNumber(1, 5) },
});
