import { Int } from 'type-graphql';
import { SituacaoAtividadeCurriculo } from '../../entities/academico/situacao-atividade-curriculo.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import type { Scope } from '../../listing/list.ts';
import type { Call } from '../../request/call.ts';
import { listOwn, resource } from '../resource.ts';

@List(() => SituacaoAtividadeCurriculo, { paging: 'optional' })
export class SituacoesAtividadeCurriculoArgs extends ListArgs {
  @Filter(() => Int, 'id') idSituacoesAtividadeCurricular?: number;
  @Filter(() => String, 'situacao') situacao?: string;
  @Filter(() => String, 'sigla') sigla?: string;

  @OrderBy('id') orderByIdSituacoesAtividadeCurricular?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
  @OrderBy('sigla') orderBySigla?: Ordem;
}

const CONTROLLER = 'academico/situacoes-atividade-curriculo';

const OWN = `select distinct a.id_situacao from vinculo_discente v
join atividade_curriculo_discente a on a.id_vinculo = v.id where v.id_pessoa = $1`;

/** Students see the situations of their own activities, to filter by them. */
async function ofOwnActivities(_args: object, { context }: Call): Promise<Scope> {
  if (await context.caller.readsAll(CONTROLLER)) return {};
  const { idPessoa } = await context.session();
  return { id: (await context.reader.rows(OWN, [idPessoa])).flat() };
}

export const SituacaoAtividadeCurriculoResolver = resource(SituacaoAtividadeCurriculo, CONTROLLER, {
  situacoesAtividadeCurriculo: listOwn(
    SituacoesAtividadeCurriculoArgs,
    "How an activity of a student may stand; without level 1 how the caller's own do",
    null,
    ofOwnActivities,
  ),
});
