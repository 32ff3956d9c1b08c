import { SubstanciaControlada } from '../../entities/almoxarifado/substancia-controlada.ts';
import { code, decimalWithin } from '../formats.ts';
import { Importable } from '../importable.ts';

export const substanciasControladas = new Importable('substancias-controladas', SubstanciaControlada, {
  managedBy: ['almoxarifadoquimicos/materiais'],
  key: ['material', 'codigoPf'],
  columns: ['material.titulo', 'codigoPf', 'concentracao'],
  formats: { codigoPf: code, concentracao: decimalWithin(0, 99.999) },
});
