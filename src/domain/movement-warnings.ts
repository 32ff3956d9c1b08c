import type { EntityManager } from '@mikro-orm/postgresql';
import type { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import type { Call } from '../request/call.ts';
import { lacking, type Subject } from './control-warnings.ts';
import { stockTexts } from './messages.ts';

/**
 * Adds warnings to the answer: about movements of an expired batch, if the service is configured to warn, and about
 * data that the map of controlled chemicals lacks (`subject`), if it reports one of the movements.
 */
export async function warn(
  em: EntityManager,
  movements: readonly Movimentacao[],
  subject: Subject | undefined,
  call: Call,
): Promise<void> {
  const { language, services } = call.context;
  const expired = services.config.EXPIRED_STOCK === 'allow' ? [] : [stockTexts.expiredWarning[language]];
  const keys = movements.map(({ id }) => id);
  const lacks = subject ? await lacking(em, subject, keys, call) : undefined;
  for (const movement of movements) {
    const avisos = [...(movement.loteVencido ? expired : []), ...(lacks?.get(movement.id) ?? [])];
    if (avisos.length > 0) movement.avisos = avisos;
  }
}
