import { PerfilRecurso } from '../../entities/permissoes/perfil-recurso.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

@List(() => PerfilRecurso, { paging: 'always' })
export class PerfisRecursoArgs extends ListArgs {}

export const PerfilRecursoResolver = resource(PerfilRecurso, 'permissoes/perfis-recursos', {
  perfisRecurso: list(PerfisRecursoArgs, 'Which profiles give access to which resources'),
  perfilRecurso: one('One link of a profile to a resource; null when there is none with this id'),
});
