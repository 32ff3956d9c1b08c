import { MATERIALS_CONTROLLER } from '../../domain/material-changes.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { decimalWithin, nameWithCommas } from '../formats.ts';
import { code, link, ncm } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const materiais = new Importable('materiais', Material, {
  managedBy: [MATERIALS_CONTROLLER],
  key: ['titulo'],
  columns: [
    'titulo',
    'descricao',
    'numeroCas',
    'catmat',
    'estadoFisico',
    'unidadeMedida.sigla',
    'tipoControle.descricao',
    'codigoPf',
    'listaPf',
    'ncm',
    'concentracao',
    'densidade',
    'rotuloExercito',
    'fispq',
    'linkFispq',
    'riscos.classificacaoRisco.risco',
  ],
  formats: {
    codigoPf: code,
    ncm,
    concentracao: decimalWithin(0, 100),
    densidade: decimalWithin(0.005, 99.99),
    linkFispq: link,
    'riscos.classificacaoRisco.risco': nameWithCommas,
  },
});
