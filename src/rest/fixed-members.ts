import { getNamedType } from 'graphql';
import { PENDENTE } from '../domain/movement.ts';
import type { Registro } from '../entities/registro.ts';
import { invalid } from '../errors.ts';
import { readOne } from '../listing/read.ts';
import type { Text } from '../messages.ts';
import { restTexts } from './messages.ts';
import type { Context } from '../request/context.ts';
import type { Operation } from './operation.ts';

/** The members of records that an update may leave as they are, but not change. */
interface Fixed extends Pick<Registro, 'id' | 'criadoPor' | 'criadoEm'> {
  idTipoMovimentacao?: number;
  idNotaFiscal?: number | null;
  idStatusMovimentacao?: number;
  data?: Date;
  quantidade?: number;
  idLocal?: number | null;
  idLocalDestino?: number | null;
}

/** A field that no update changes, with the records that have it. */
interface FixedField {
  property: keyof Fixed;
  /** Whether a value in the body differs from the stored value. */
  differs: (sent: unknown, record: Fixed) => boolean;
  /** Only these records; all when absent. */
  of?: string;
  /** What the client is told; that it does not change after the creation when absent. */
  message?: Text;
}

const fixedNumber = (
  property: 'idTipoMovimentacao' | 'idNotaFiscal' | 'quantidade' | 'idLocal' | 'idLocalDestino',
  of: string,
  message?: Text,
): FixedField => ({
  property,
  differs: (sent, record) => Number(sent) !== record[property],
  of,
  ...(message && { message }),
});

const fixedMoment = (property: 'criadoEm' | 'data', of?: string): FixedField => ({
  property,
  differs: (sent, record) =>
    typeof sent === 'string' && ZONED.test(sent) && secondOf(sent) !== secondOf(record[property]!),
  ...(of !== undefined && { of }),
});

/** Fields by their name in bodies. Texts that are not a timestamp with a zone are ignored. */
const fixed: Readonly<Record<string, FixedField>> = {
  id: { property: 'id', differs: (sent, { id }) => Number(sent) !== id },
  criado_por: {
    property: 'criadoPor',
    differs: (sent, { criadoPor }) => criadoPor !== null && Number(sent) !== criadoPor,
  },
  criado_em: fixedMoment('criadoEm'),
  id_tipo_movimentacao: fixedNumber('idTipoMovimentacao', 'Movimentacao'),
  id_nota_fiscal: fixedNumber('idNotaFiscal', 'Movimentacao'),
  id_status_movimentacao: {
    property: 'idStatusMovimentacao',
    // A movement that was decided meanwhile is refused for its state.
    differs: (sent, { idStatusMovimentacao: now }) => now === PENDENTE && Number(sent) !== now,
    of: 'Movimentacao',
    message: restTexts.byDecision,
  },
  data: fixedMoment('data', 'Movimentacao'),
  quantidade: fixedNumber('quantidade', 'Lote', restTexts.byMovements),
  id_local: fixedNumber('idLocal', 'Lote', restTexts.byMovements),
  id_local_destino: fixedNumber('idLocalDestino', 'Lote', restTexts.byMovements),
};

const ZONED = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;
const secondOf = (moment: string | Date): number => Math.floor(new Date(moment).getTime() / 1000);

/**
 * Refuses an update of fields that no update can change: a record's id, when it was created, its creator if the
 * operation has no such field, the kind, invoice, status and time of a movement, and the quantity and places of a batch.
 * Clients may send back the values that they
 * have read.
 * @throws VALIDATION_FAILED
 */
export async function refuseFixed(
  { route, field, parameters }: Operation,
  body: object,
  args: Record<string, unknown>,
  context: Context,
): Promise<void> {
  if (route.method !== 'PUT' || typeof args['id'] !== 'number') return;
  const { name: type } = getNamedType(field.type);
  const taken = new Set(parameters.filter(({ place }) => place === 'body').map(({ name }) => name));
  const sent = Object.entries(body).filter(
    ([name, value]) =>
      Object.hasOwn(fixed, name) &&
      [undefined, type].includes(fixed[name]!.of) &&
      !taken.has(name) &&
      value !== null &&
      value !== '',
  );
  if (sent.length === 0) return;
  const { listing } = context.services;
  const entity = [...listing.metadata].find(({ className }) => className === type);
  if (!entity || !('criadoPor' in entity.properties)) return;
  const selection = Object.fromEntries(sent.map(([name]) => [fixed[name]!.property, {}]));
  const record = await readOne(listing, entity.class as new () => Registro, { id: args['id'] }, selection);
  const changed = record ? sent.filter(([name, value]) => fixed[name]!.differs(value, record)) : [];
  if (changed.length > 0)
    throw invalid(
      'VALIDATION_FAILED',
      changed.map(([name]) => ({ field: name, message: fixed[name]!.message ?? restTexts.fixed })),
    );
}
