import { Int } from 'type-graphql';
import { VinculoDiscente } from '../../entities/academico/vinculo-discente.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { listOwn, resource } from '../resource.ts';

@List(() => VinculoDiscente, { paging: 'always' })
export class VinculosDiscenteArgs extends ListArgs {
  @Filter(() => String, 'matricula', { match: 'exact' }) matricula?: string;
  @Filter(() => Int, 'vinculo') vinculo?: number;
  @Filter(() => Int, 'nivelCurso') nivelCurso?: number;
  @Filter(() => Int, 'anoIngresso') anoIngresso?: number;

  @OrderBy('matricula') orderByMatricula?: Ordem;
  @OrderBy('vinculo') orderByVinculo?: Ordem;
  @OrderBy('nivelCurso') orderByNivelCurso?: Ordem;
  @OrderBy('anoIngresso') orderByAnoIngresso?: Ordem;
  @OrderBy('situacao') orderBySituacao?: Ordem;
  @OrderBy('habilitado') orderByHabilitado?: Ordem;
}

export const VinculoDiscenteResolver = resource(VinculoDiscente, 'academico/vinculo-discente', {
  vinculosDiscente: listOwn(VinculosDiscenteArgs, 'Enrolments of students', 'idPessoa'),
});
