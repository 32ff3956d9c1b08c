import { Int } from 'type-graphql';
import { SituacaoAtividadeCurriculo } from '../../entities/academico/situacao-atividade-curriculo.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { list, resource } from '../resource.ts';

@List(() => SituacaoAtividadeCurriculo, { paging: 'optional' })
export class SituacoesAtividadeCurriculoArgs extends ListArgs {
  @Filter(() => Int, 'id') idSituacoesAtividadeCurricular?: number;
  @Filter(() => String, 'situacao') situacao?: string;
  @Filter(() => String, 'sigla') sigla?: string;

  @OrderBy('id') orderByIdSituacoesAtividadeCurricular?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
  @OrderBy('sigla') orderBySigla?: Ordem;
}

export const SituacaoAtividadeCurriculoResolver = resource(
  SituacaoAtividadeCurriculo,
  'academico/situacoes-atividade-curriculo',
  {
    situacoesAtividadeCurriculo: list(
      SituacoesAtividadeCurriculoArgs,
      'How an activity of a student may stand',
    ),
  },
);
