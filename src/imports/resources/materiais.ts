import { Material } from '../../entities/almoxarifado/material.ts';
import { link, nameWithCommas } from '../formats.ts';
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
  formats: { linkFispq: link, 'riscos.classificacaoRisco.risco': nameWithCommas(200) },
});
