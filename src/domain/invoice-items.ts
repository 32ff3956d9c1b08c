import type { EntityManager } from '@mikro-orm/postgresql';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import { Local } from '../entities/almoxarifado/local.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { conflict, invalid, type FieldError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import { stockTexts } from './messages.ts';
import { assignChanged, isSameValue, type BatchData } from './batches.ts';

/** An item of an invoice in the client's input. For an existing batch, the location of arrival may be absent. */
export interface ItemData extends BatchData {
  /** Id of the existing batch, if the client gives it. */
  id?: number | null;
}

/** Errors of an item's quantity for a new batch. */
export const quantityErrors = ({ quantidade }: Partial<ItemData>): FieldError[] =>
  (quantidade ?? 0) < 1 ? [{ field: 'quantidade', message: fieldMessages.min(1) }] : [];

/** Missing fields of an item for a new batch. */
export const arrivalErrors = (item: Partial<ItemData>): FieldError[] => [
  ...quantityErrors(item),
  ...(item.idLocal == null ? [{ field: 'idLocal', message: fieldMessages.required }] : []),
];

/** An item in the input that is an existing batch of the invoice, with its index in the input. */
interface KnownItem {
  lote: Lote;
  at: number;
  item: ItemData;
}

/**
 * Finds for each item in the input its existing batch (contract 10): by its id, or else one with the same material,
 * manufacturer and code. Undefined for a new batch. Each batch is found at most once.
 * @throws VALIDATION_FAILED for an id that is not one of the batches, or is given twice
 */
export function matchItems(
  batches: readonly Lote[],
  listed: ReadonlySet<number>,
  given: readonly ItemData[],
): (Lote | undefined)[] {
  const left = new Map(batches.map(lote => [lote.id, lote]));
  const errors: FieldError[] = [];
  const take = (lote: Lote | undefined): Lote | undefined => {
    if (lote) left.delete(lote.id);
    return lote;
  };
  const byId = given.map(({ id }, at) => {
    if (id == null) return undefined;
    const found = take(left.get(id));
    const isRepeated = batches.some(lote => lote.id === id);
    const message = isRepeated ? fieldMessages.repeated : fieldMessages.unknownReference;
    if (!found) errors.push({ field: `lotes[${at}].id`, message });
    return found;
  });
  if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  return given.map((item, at) => {
    if (item.id != null) return byId[at];
    const same = [...left.values()].filter(lote => isSame(lote, item));
    const likeness = (lote: Lote): number =>
      (listed.has(lote.id) ? 4 : 0) +
      (lote.quantidade === item.quantidade ? 2 : 0) +
      (lote.local?.id === item.idLocal ? 1 : 0);
    return take(same.toSorted((a, b) => likeness(b) - likeness(a))[0]);
  });
}

const isSame = (lote: Lote, given: ItemData): boolean =>
  lote.material.id === given.idMaterial &&
  lote.fabricante.id === given.idFabricante &&
  isSameValue(lote.codLote, given.codLote ?? null);

/** @throws VALIDATION_FAILED for an invalid quantity; CONFLICT for a location other than that of the entry */
export function checkItems(known: readonly KnownItem[]): void {
  refuseBroken(known.map(({ lote, at, item }) => ({ at, errors: changeErrors(lote, item) })));
  const moved = known.flatMap(({ lote, at, item }) =>
    otherPlaces(lote, item).map(field => ({
      field: `lotes[${at}].${field}`,
      message: stockTexts.changed,
    })),
  );
  if (moved.length > 0) throw conflict(stockTexts.placeIsFact, moved);
}

/** A batch of which nothing has arrived yet may stay like this. */
const changeErrors = (lote: Lote, item: ItemData): FieldError[] =>
  item.quantidade === lote.quantidade
    ? []
    : arrivalErrors({ ...item, idLocal: item.idLocal ?? lote.local?.id ?? null });

/** @throws VALIDATION_FAILED with the errors of the items, by index in the input */
export function refuseBroken(items: readonly { at: number; errors: readonly FieldError[] }[]): void {
  const broken = items.flatMap(({ at, errors }) =>
    errors.map(({ field, message }) => ({ field: `lotes[${at}].${field}`, message })),
  );
  if (broken.length > 0) throw invalid('VALIDATION_FAILED', broken);
}

/** The locations in the input that differ from where the batch arrived. */
function otherPlaces({ local, localDestino }: Lote, { idLocal, idLocalDestino }: ItemData): string[] {
  if (!local) return [];
  return [
    ...(idLocal != null && idLocal !== local.id ? ['idLocal'] : []),
    ...(idLocalDestino != null && idLocalDestino !== localDestino?.id ? ['idLocalDestino'] : []),
  ];
}

/** Applies the item to its batch. Absent fields stay. The caller must check the material. */
export function changeItem(
  em: EntityManager,
  lote: Lote,
  { idMaterial, idFabricante, codLote, dataVenc, quantidade, ...given }: ItemData,
  alteradoPor: number | null,
): void {
  const place = (id: number): Local => em.getReference(Local, id);
  const idLocalDestino = given.idLocalDestino ?? given.idLocal;
  assignChanged(
    lote,
    {
      material: em.getReference(Material, idMaterial),
      fabricante: em.getReference(Empresa, idFabricante),
      quantidade,
      ...(codLote !== undefined && { codLote }),
      ...(dataVenc !== undefined && { dataVenc }),
      ...(!lote.local && given.idLocal != null && { local: place(given.idLocal) }),
      ...(!lote.localDestino && idLocalDestino != null && { localDestino: place(idLocalDestino) }),
    },
    alteradoPor,
  );
}
