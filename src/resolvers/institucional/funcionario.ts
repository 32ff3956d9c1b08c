import { withoutPunctuation } from '../../domain/cnpj.ts';
import { Funcionario } from '../../entities/institucional/funcionario.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

/** Employees who left stay in the database, but no operation shows them. */
const ACTIVE = { situacao: 'A' };

@List(() => Funcionario, { paging: 'default', always: ACTIVE })
export class FuncionariosAtivosArgs extends ListArgs {
  @Filter(() => String, 'cpf', { match: 'exact', value: withoutPunctuation }) cpf?: string;
  @Filter(() => String, 'nomeCivil') nomeCivil?: string;
  @Filter(() => String, 'nomeSocial') nomeSocial?: string;
  @Filter(() => String, 'naturezaJuridica') naturezaJuridica?: string;
  @Filter(() => DateScalar, 'ultimaAlteracao', { match: 'day' }) ultimaAlteracao?: string;

  @OrderBy('cpf') orderByCpf?: Ordem;
  @OrderBy('nomeCivil') orderByNomeCivil?: Ordem;
  @OrderBy('nomeSocial') orderByNomeSocial?: Ordem;
  @OrderBy('naturezaJuridica') orderByNaturezaJuridica?: Ordem;
  @OrderBy('ultimaAlteracao') orderByUltimaAlteracao?: Ordem;
}

export const FuncionarioResolver = resource(Funcionario, 'institucional/funcionarios-ativos', {
  funcionariosAtivos: list(FuncionariosAtivosArgs, 'Active employees and grant holders'),
  funcionarioAtivo: one('One active employee; null when there is none with this id', undefined, ACTIVE),
});
