import { MATERIALS_CONTROLLER } from '../../domain/material-changes.ts';
import { SubstanciaControlada } from '../../entities/almoxarifado/substancia-controlada.ts';
import { decimalWithin } from '../formats.ts';
import { code } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const substanciasControladas = new Importable('substancias-controladas', SubstanciaControlada, {
  managedBy: [MATERIALS_CONTROLLER],
  key: ['material', 'codigoPf'],
  columns: ['material.titulo', 'codigoPf', 'concentracao'],
  formats: { codigoPf: code, concentracao: decimalWithin(0, 99.999) },
});
