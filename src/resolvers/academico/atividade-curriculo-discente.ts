import { Field, Int } from 'type-graphql';
import { AtividadeCurriculoDiscente } from '../../entities/academico/atividade-curriculo-discente.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { listOwn, resource } from '../resource.ts';

@List(() => AtividadeCurriculoDiscente, { paging: 'default' })
export class AtividadesCurriculoDiscenteArgs extends ListArgs {
  @Field(() => Int, { description: 'Enrolment of the student' })
  idVinculo!: number;

  @Filter(() => String, 'codigoAtividade', { match: 'exact' }) codigoAtividade?: string;
  @Filter(() => String, 'nomeAtividade') nomeAtividade?: string;
  @Filter(() => String, 'estrutura') estrutura?: string;
  @Filter(() => Int, 'ano') ano?: number;
  @Filter(() => Int, 'periodo') periodo?: number;
  @Filter(() => Int, 'idSituacao') idSituacao?: number;

  @OrderBy('codigoAtividade') orderByCodigoAtividade?: Ordem;
  @OrderBy('nomeAtividade') orderByNomeAtividade?: Ordem;
  @OrderBy('estrutura') orderByEstrutura?: Ordem;
  @OrderBy('ano') orderByAno?: Ordem;
  @OrderBy('periodo') orderByPeriodo?: Ordem;
  @OrderBy('chTotal') orderByChTotal?: Ordem;
  @OrderBy('situacao.situacao') orderBySituacao?: Ordem;
}

const ofEnrolment = ({ idVinculo }: AtividadesCurriculoDiscenteArgs) => Promise.resolve({ idVinculo });

export const AtividadeCurriculoDiscenteResolver = resource(
  AtividadeCurriculoDiscente,
  'academico/atividade-curriculo-discente',
  {
    atividadesCurriculoDiscente: listOwn(
      AtividadesCurriculoDiscenteArgs,
      'Activities of the curriculum that a student took or takes',
      'vinculo.idPessoa',
      ofEnrolment,
    ),
  },
);
