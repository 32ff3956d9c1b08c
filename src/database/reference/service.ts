import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Controller } from '../../entities/permissoes/controller.ts';
import { SERVICE, Sistema } from '../../entities/permissoes/sistema.ts';

/**
 * Adds the service to its permission tables: a system, with one controller for each name that operations declare.
 * Existing rows stay. If nothing lacks, nothing is written, so that a start does not wait for a standby that is away.
 */
export async function writeService(orm: MikroORM, controllers: readonly string[]): Promise<void> {
  const em = orm.em.fork();
  const sistema = (await em.findOne(Sistema, { sigla: SERVICE })) ?? (await addSystem(em));
  const known = new Set((await em.find(Controller, { sistema })).map(controller => controller.nome));
  for (const nome of controllers) if (!known.has(nome)) em.create(Controller, { nome, sistema });
  await em.flush();
}

/** An administrator may add it at the same time. */
async function addSystem(em: EntityManager): Promise<Sistema> {
  await em.upsert(
    Sistema,
    { sigla: SERVICE, nome: 'Serviço de Informações Institucionais' },
    { onConflictAction: 'ignore', onConflictFields: ['sigla'] },
  );
  return em.findOneOrFail(Sistema, { sigla: SERVICE });
}
