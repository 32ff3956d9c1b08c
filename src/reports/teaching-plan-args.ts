import { ArgsType, Int } from 'type-graphql';
import { Curso } from '../entities/academico/curso.ts';
import { Lotacao } from '../entities/almoxarifado/lotacao.ts';
import { PessoaCadastro } from '../entities/permissoes/pessoa-cadastro.ts';
import { Filter, ListArgs, OrderBy, type Ordem } from '../listing/args.ts';

/** The filter selects the rows from which percentages are computed. */
const within = { within: true } as const;

/** Filters of every report of teaching plans. Filters on measures only select the rows to show. */
@ArgsType()
export abstract class PlanArgs extends ListArgs {
  @Filter(() => Int, 'idCursoPlano', { ...within, title: 'Curso', names: [() => Curso, 'nome'] })
  idCursoPlano?: number;

  @Filter(() => Int, 'idUnidadeDepartamento', {
    ...within,
    title: 'Departamento',
    names: [() => Lotacao, 'nome'],
  })
  idUnidadeDepartamento?: number;

  @Filter(() => String, 'tramitacaoAtual') tramitacaoAtual?: string;
  @Filter(() => Int, 'ano', within) ano?: number;
  @Filter(() => Int, 'semestre', within) semestre?: number;
  @Filter(() => String, 'situacaoCodigo', { match: 'exact', title: 'Código da situação' })
  situacaoCodigo?: string;

  @Filter(() => Int, 'idServidores', {
    ...within,
    match: 'member',
    title: 'Docente',
    names: [() => PessoaCadastro, 'nome'],
  })
  idServidor?: number;

  @Filter(() => String, 'docentePlano', within) docentePlano?: string;
  @Filter(() => String, 'modalidade', within) modalidade?: string;
}

/** Filters and orderings of the reports that group plans. */
@ArgsType()
export abstract class GroupedPlanArgs extends PlanArgs {
  @OrderBy('nomeDisciplina') orderByNomeDisciplina?: Ordem;
  @OrderBy('departamento') orderByDepartamento?: Ordem;
  @OrderBy('tramitacaoAtual') orderByTramitacaoAtual?: Ordem;
  @OrderBy('ano') orderByAno?: Ordem;
  @OrderBy('semestre') orderBySemestre?: Ordem;
  @OrderBy('situacaoPlano') orderBySituacaoPlano?: Ordem;
  @OrderBy('idServidor') orderByIdServidor?: Ordem;
  @OrderBy('situacaoPorcentagem') orderBySituacaoPorcentagem?: Ordem;
  @OrderBy('tramitacaoAtualPorcentagem') orderByTramitacaoAtualPorcentagem?: Ordem;
}

/** Their names in REST. */
export const groupedSpelled = { idUnidadeDepartamento: 'departamento' } as const;
