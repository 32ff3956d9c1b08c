import { unmanaged } from '../access/grants.ts';
import type { Services } from '../request/services.ts';
import type { Delivery } from './queue.ts';
import { WEBHOOKS_CONTROLLER } from './rights.ts';

/** What each delivery says, after Standard Webhooks; undefined if the owner of its webhook may not have it now. */
export async function bodiesOf(
  { listing }: Services,
  taken: readonly Delivery[],
): Promise<Map<Delivery, string | null | undefined>> {
  const owners = [...new Set(taken.map(({ idPessoa }) => idPessoa))];
  const refused = new Map(
    await Promise.all(
      owners.map(
        async id => [id, (await unmanaged(listing.reader, id, [WEBHOOKS_CONTROLLER])) !== undefined] as const,
      ),
    ),
  );
  return new Map(
    taken.map(delivery => [delivery, refused.get(delivery.idPessoa) ? undefined : ownBody(delivery)]),
  );
}

/** The body of what the service says by itself. */
function ownBody({ evento, idWebhook, criadoEm }: Delivery): string {
  const registro = { tabela: 'webhook', id: idWebhook, versao: null };
  const data = { momento: criadoEm, tipo: evento, registro, alteracoes: [] };
  return JSON.stringify({ type: evento, timestamp: criadoEm, data });
}
