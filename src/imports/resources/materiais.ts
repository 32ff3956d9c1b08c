import { Material } from '../../entities/almoxarifado/material.ts';
import { nameWithCommas, webAddress } from '../formats.ts';
import { Importable } from '../importable.ts';

export const materiais = new Importable('materiais', Material, {
  key: ['titulo'],
  columns: [
    'titulo',
    'descricao',
    'numeroCas',
    'catmat',
    'estadoFisico',
    'unidadeMedida.sigla',
    'tipoControle.descricao',
    'fispq',
    'linkFispq',
    'riscos.classificacaoRisco.risco',
  ],
  formats: { linkFispq: webAddress, 'riscos.classificacaoRisco.risco': nameWithCommas(200) },
});
