import type { EntityManager } from '@mikro-orm/postgresql';
import type { PerfilRecursoItem } from '../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../entities/permissoes/perfil.ts';
import { Recurso } from '../entities/permissoes/recurso.ts';
import { invalid, type FieldError } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { accountTexts } from './messages.ts';

/** The profile and resource of an item, in a client's input. */
interface ItemLink {
  idPerfilRecurso?: number | null;
  idPerfil?: number | null;
  idRecurso?: number | null;
}

/**
 * Adds the item to the link between its profile and its resource. Creates the link if it is missing.
 * @throws VALIDATION_FAILED when the input names a link together with a different profile or resource
 */
export async function findProfileResource(
  item: PerfilRecursoItem,
  { idPerfilRecurso, idPerfil, idRecurso }: ItemLink,
  em: EntityManager,
): Promise<void> {
  if (idPerfilRecurso != null) {
    const { perfil, recurso } = await em.findOneOrFail(PerfilRecurso, idPerfilRecurso);
    const errors: FieldError[] = [];
    if (idPerfil != null && idPerfil !== perfil.id)
      errors.push({ field: 'idPerfil', message: accountTexts.otherLink });
    if (idRecurso != null && idRecurso !== recurso.id)
      errors.push({ field: 'idRecurso', message: accountTexts.otherLink });
    if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  } else {
    const of = { perfil: em.getReference(Perfil, idPerfil!), recurso: em.getReference(Recurso, idRecurso!) };
    const { criadoPor, alteradoPor } = item;
    item.perfilRecurso =
      (await em.findOne(PerfilRecurso, of)) ?? em.create(PerfilRecurso, { ...of, criadoPor, alteradoPor });
  }
}

const PROFILE = `select pr.id_perfil from perfil_recurso_item i join perfil_recurso pr on pr.id = i.id_perfil_recurso
where i.id = $1`;

/** The profile that contains the stored item. */
export const profileOfItem = async ({ id }: PerfilRecursoItem, em: EntityManager): Promise<number[]> =>
  (await transactionReader(em).rows(PROFILE, [id])).flat() as number[];

/** No operation deletes these links, and an empty link would prevent the deletion of its profile and resource. */
const DROP_EMPTY = (column: 'id_perfil' | 'id_recurso') => `delete from perfil_recurso pr
where pr.${column} = $1 and not exists (select from perfil_recurso_item i where i.id_perfil_recurso = pr.id)`;

/** Deletes a profile's links without items. */
export async function dropLinksOfProfile({ id }: Perfil, _input: object, em: EntityManager): Promise<void> {
  await transactionReader(em).rows(DROP_EMPTY('id_perfil'), [id]);
}

/** Deletes a resource's links without items. */
export async function dropLinksOfResource({ id }: Recurso, _input: object, em: EntityManager): Promise<void> {
  await transactionReader(em).rows(DROP_EMPTY('id_recurso'), [id]);
}
