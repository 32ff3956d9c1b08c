import { levelsNow } from '../access/levels.ts';
import type { Change } from '../changes/feed.ts';
import { cursorOf } from '../changes/position.ts';
import { visibilityOf } from '../changes/visible.ts';
import type { Services } from '../request/services.ts';
import { isOwnEvent } from '../entities/institucional/own-events.ts';
import type { Delivery } from './queue.ts';
import { mayOwn } from './rights.ts';

/**
 * The body of each delivery, in the format of Standard Webhooks. It is null if the owner of the webhook may not read
 * the event now, and undefined if they may no longer have the webhook.
 */
export async function bodiesOf(
  { listing, changes: { audiences } }: Services,
  taken: readonly Delivery[],
): Promise<Map<Delivery, string | null | undefined>> {
  const people = await levelsNow(listing.reader, [...new Set(taken.map(({ idPessoa }) => idPessoa))]);
  const changes = taken.filter(({ evento }) => !isOwnEvent(evento)).map(changeOf);
  const seen = await visibilityOf(listing, audiences, [...people.values()], changes);
  const visible = new Map([...people].map(([idPessoa, person]) => [idPessoa, byEntry(seen(person))]));
  return new Map(
    taken.map(delivery => {
      const { idPessoa, evento, eventos } = delivery;
      if (!mayOwn(people.get(idPessoa), audiences, eventos)) return [delivery, undefined];
      if (isOwnEvent(evento)) return [delivery, ownBody(delivery)];
      const change = visible.get(idPessoa)!.get(changeOf(delivery).position.entry);
      return [delivery, change ? bodyOf(change) : null];
    }),
  );
}

const byEntry = (changes: readonly Change[]): Map<number, Change> =>
  new Map(changes.map(change => [change.position.entry, change]));

/** Converts a change from its stored form. */
function changeOf({ mudanca }: Delivery): Change {
  const { moment, ...change } = mudanca as Omit<Change, 'moment'> & { moment: string };
  return { ...change, moment: new Date(moment) };
}

/** The body of a change. `data` is the same as in `GET /mudancas`. */
function bodyOf({ position, kind, table, id, version, moment, idPessoa, idSistema, fields }: Change): string {
  const data = {
    cursor: cursorOf(position),
    id: String(position.entry),
    momento: moment,
    tipo: kind,
    registro: { tabela: table, id, versao: version },
    id_pessoa: idPessoa,
    id_sistema: idSistema,
    alteracoes: fields,
  };
  return JSON.stringify({ type: kind, timestamp: moment, data });
}

/** The body of an event that comes from the service itself. */
function ownBody({ evento, idWebhook, criadoEm }: Delivery): string {
  const registro = { tabela: 'webhook', id: idWebhook, versao: null };
  const data = { momento: criadoEm, tipo: evento, registro, alteracoes: [] };
  return JSON.stringify({ type: evento, timestamp: criadoEm, data });
}
