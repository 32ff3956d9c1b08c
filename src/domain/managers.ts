import { raw, type EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { ResponsavelLaboratorio } from '../entities/almoxarifado/responsavel-laboratorio.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import type { Call } from '../request/call.ts';
import { requireNotDismissed } from './people.ts';
import { actFor } from '../request/for-person.ts';

export const LABORATORIES_CONTROLLER = 'almoxarifadoquimicos/responsaveis-laboratorio';

/**
 * Sets the caller as manager from today on. Sets another person if the caller may act for others (contract 7).
 * @throws FORBIDDEN; VALIDATION_FAILED for somebody who was dismissed
 */
export async function nameManager(
  manager: ResponsavelLaboratorio,
  { idPessoa }: { idPessoa?: number | null },
  em: EntityManager,
  { context }: Call,
): Promise<void> {
  const caller = (await context.session()).idPessoa;
  await actFor(context, idPessoa ?? caller, LABORATORIES_CONTROLLER);
  await requireNotDismissed(transactionReader(em), { by: 'id', value: idPessoa ?? caller }, 'idPessoa');
  manager.pessoa = em.getReference(Pessoa, idPessoa ?? caller);
  // Today in the institution's time zone, which is also that of the database session.
  manager.dataInicio = raw('current_date');
}

const LASTS = 'select coalesce($1::date >= current_date, true)';

/**
 * Allows managers to change their own term, and callers who may act for others to change any.
 * @throws FORBIDDEN; VALIDATION_FAILED when the term of somebody who was dismissed would last
 */
export async function changeManager(
  { pessoa, dataFim }: ResponsavelLaboratorio,
  _input: object,
  em: EntityManager,
  { context }: Call,
): Promise<void> {
  await actFor(context, pessoa.id, LABORATORIES_CONTROLLER);
  const reader = transactionReader(em);
  const [row] = await reader.rows(LASTS, [dataFim]);
  if (row![0]) await requireNotDismissed(reader, { by: 'id', value: pessoa.id }, 'dataFim');
}

/** Ids of the locations that this person manages today. */
export async function locationsOf(em: EntityManager, idPessoa: number): Promise<number[]> {
  const rows = await em.execute<{ id_local: number }[]>(
    `select distinct id_local from responsavel_laboratorio
     where id_pessoa = ? and data_inicio <= current_date and (data_fim is null or data_fim >= current_date)`,
    [idPessoa],
  );
  return rows.map(row => row.id_local);
}
