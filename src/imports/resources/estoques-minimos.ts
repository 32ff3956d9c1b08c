import { EstoqueMinimo } from '../../entities/almoxarifado/estoque-minimo.ts';
import { wholeNumber } from '../formats.ts';
import { Importable } from '../importable.ts';

export const estoquesMinimos = new Importable('estoques-minimos', EstoqueMinimo, {
  managedBy: ['almoxarifadoquimicos/estoques-minimos'],
  key: ['material', 'local'],
  columns: ['material.titulo', 'local.sigla', 'quantidade'],
  formats: { quantidade: wholeNumber(1) },
});
