import { AtividadeCurriculoDiscente } from '../../entities/academico/atividade-curriculo-discente.ts';
import { wholeNumber, year } from '../formats.ts';
import { Importable } from '../importable.ts';

export const atividadesCurriculoDiscente = new Importable(
  'atividades-curriculo-discente',
  AtividadeCurriculoDiscente,
  {
    managedBy: ['academico/atividade-curriculo-discente'],
    key: ['vinculo', 'codigoAtividade', 'ano', 'periodo'],
    columns: [
      'vinculo.matricula',
      'vinculo.vinculo',
      'codigoAtividade',
      'ano',
      'periodo',
      'nomeAtividade',
      'estrutura',
      'chTotal',
      'situacao.sigla',
    ],
    formats: { ano: year, periodo: wholeNumber(1), chTotal: wholeNumber(0) },
  },
);
