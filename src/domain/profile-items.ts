import type { EntityManager } from '@mikro-orm/postgresql';
import type { PerfilRecursoItem } from '../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../entities/permissoes/perfil.ts';
import { Recurso } from '../entities/permissoes/recurso.ts';
import type { FieldError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';

/** Where an item of a profile belongs, as a client says it. */
interface Belonging {
  idPerfilRecurso?: number | null;
  idPerfil?: number | null;
  idRecurso?: number | null;
}

/** An item without `idPerfilRecurso` names its profile and its resource (contract 8). */
export function linkErrors(input: Belonging): FieldError[] {
  if (input.idPerfilRecurso != null) return [];
  return (['idPerfil', 'idRecurso'] as const)
    .filter(field => input[field] == null)
    .map(field => ({ field, message: fieldMessages.required }));
}

/** Puts the item under the link of its profile to its resource, which is made where there is none yet. */
export async function findProfileResource(
  item: PerfilRecursoItem,
  { idPerfilRecurso, idPerfil, idRecurso }: Belonging,
  em: EntityManager,
): Promise<void> {
  if (idPerfilRecurso == null && idPerfil != null && idRecurso != null) {
    const of = { perfil: em.getReference(Perfil, idPerfil), recurso: em.getReference(Recurso, idRecurso) };
    const { criadoPor, alteradoPor } = item;
    item.perfilRecurso =
      (await em.findOne(PerfilRecurso, of)) ?? em.create(PerfilRecurso, { ...of, criadoPor, alteradoPor });
  }
  await em.refresh(item.perfilRecurso);
}
