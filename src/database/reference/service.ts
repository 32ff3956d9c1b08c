import type { MikroORM } from '@mikro-orm/postgresql';
import { Controller } from '../../entities/permissoes/controller.ts';
import { SERVICE, Sistema } from '../../entities/permissoes/sistema.ts';

/**
 * Adds the service to its permission tables: a system, with one controller for each name that operations declare.
 * Existing rows stay.
 */
export async function writeService(orm: MikroORM, controllers: readonly string[]): Promise<void> {
  const em = orm.em.fork();
  const onConflict = { onConflictAction: 'ignore' } as const;
  await em.upsert(
    Sistema,
    { sigla: SERVICE, nome: 'Serviço de Informações Institucionais' },
    { ...onConflict, onConflictFields: ['sigla'] },
  );
  const sistema = await em.findOneOrFail(Sistema, { sigla: SERVICE });
  const known = new Set((await em.find(Controller, { sistema })).map(controller => controller.nome));
  for (const nome of controllers) if (!known.has(nome)) em.create(Controller, { nome, sistema });
  await em.flush();
}
