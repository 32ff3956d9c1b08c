import { getNamedType } from 'graphql';
import type { Registro } from '../entities/registro.ts';
import { invalid } from '../errors.ts';
import { readOne } from '../listing/read.ts';
import { restTexts } from './messages.ts';
import type { Context } from '../request/context.ts';
import type { Operation } from './operation.ts';

/**
 * Whether a value in the body differs from the stored value. Texts that are not a timestamp with a zone are ignored.
 */
const differs = {
  id: (sent: unknown, { id }: Registro) => Number(sent) !== id,
  criado_por: (sent: unknown, { criadoPor }: Registro) => criadoPor !== null && Number(sent) !== criadoPor,
  criado_em: (sent: unknown, { criadoEm }: Registro) =>
    typeof sent === 'string' && ZONED.test(sent) && secondOf(sent) !== secondOf(criadoEm),
} as const;

const ZONED = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;
const secondOf = (moment: string | Date): number => Math.floor(new Date(moment).getTime() / 1000);

/**
 * Refuses an update of fields that no update can change: a record's id, when it was created, and its creator if the
 * operation has no such field. Clients may send back the values that they have read.
 * @throws VALIDATION_FAILED
 */
export async function refuseFixed(
  { route, field, parameters }: Operation,
  body: object,
  args: Record<string, unknown>,
  context: Context,
): Promise<void> {
  if (route.method !== 'PUT' || typeof args['id'] !== 'number') return;
  const taken = new Set(parameters.filter(({ place }) => place === 'body').map(({ name }) => name));
  const sent = Object.entries(body).filter(
    ([name, value]) => Object.hasOwn(differs, name) && !taken.has(name) && value !== null && value !== '',
  ) as [keyof typeof differs, unknown][];
  if (sent.length === 0) return;
  const { listing } = context.services;
  const { name: type } = getNamedType(field.type);
  const entity = [...listing.metadata].find(({ className }) => className === type);
  if (!entity || !('criadoPor' in entity.properties)) return;
  const selection = { id: {}, criadoPor: {}, criadoEm: {} };
  const record = await readOne(listing, entity.class as new () => Registro, { id: args['id'] }, selection);
  const changed = record ? sent.filter(([name, value]) => differs[name](value, record)) : [];
  if (changed.length > 0)
    throw invalid(
      'VALIDATION_FAILED',
      changed.map(([name]) => ({ field: name, message: restTexts.fixed })),
    );
}
