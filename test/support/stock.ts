import { expect } from 'vitest';
import type { Answer } from './client.ts';
import { inOneGo, newCompany, newMaterial, newPlace } from './make.ts';
import type { TestService } from './service.ts';

const area = '/almoxarifadoquimicos';

/** Paths of the storeroom's ledger. */
export const paths = {
  approvals: `${area}/aprova-movimentacoes`,
  batches: `${area}/lotes`,
  invoices: `${area}/notas-fiscais`,
  links: `${area}/item-nota-fiscal`,
  movements: `${area}/movimentacoes-estoque`,
  stock: `${area}/estoques`,
} as const;

/** The body that creates a batch. */
export interface BatchBody {
  id_material: number;
  id_fabricante: number;
  cod_lote: string | null;
  data_venc: string | null;
  quantidade: number;
  motivo?: string | null;
  id_local: number;
  id_local_destino?: number | null;
  notas_fiscais?: { id_nota_fiscal: number | null }[] | null;
}

export interface BatchOptions extends Partial<BatchBody> {
  /** Whether its material needs approval. */
  controlado?: boolean;
}

/** A body that creates a batch of 100 of a material, a manufacturer and a place of its own, save for what is given. */
export async function batchBody(
  service: TestService,
  { controlado = false, ...given }: BatchOptions = {},
): Promise<BatchBody> {
  const made = await inOneGo(service, em => ({
    material: given.id_material === undefined ? newMaterial(em, { controlado }) : undefined,
    fabricante: given.id_fabricante === undefined ? newCompany(em) : undefined,
    local: given.id_local === undefined ? newPlace(em) : undefined,
  }));
  return {
    id_material: made.material?.id,
    id_fabricante: made.fabricante?.id,
    cod_lote: 'L-1',
    data_venc: '2031-05-31',
    quantidade: 100,
    id_local: made.local?.id,
    ...given,
  } as BatchBody;
}

// Tests look into answers freely.
export type Body = any;

/** A batch that a client created: the record answered. */
export async function makeBatch(service: TestService, options: BatchOptions = {}): Promise<Body> {
  const almoxarife = await service.as('almoxarife');
  return created(await almoxarife.post(paths.batches, await batchBody(service, options)));
}

/** An invoice that a client created, of companies of its own, save for what is given. */
export async function makeInvoice(service: TestService, given: object = {}): Promise<Body> {
  const almoxarife = await service.as('almoxarife');
  return created(await almoxarife.post(paths.invoices, await invoiceBody(service, given)));
}

export async function invoiceBody(service: TestService, given: object = {}): Promise<Body> {
  const made = await inOneGo(service, em => [newCompany(em), newCompany(em)] as const);
  const [id_transportadora, id_fornecedor] = made.map(({ id }) => id);
  return { numero_nf: 'NF 1024', id_transportadora, id_fornecedor, ...given };
}

/** Registers movements as the storeroom's keeper. */
export async function move(service: TestService, ...movimentacoes: object[]): Promise<Answer> {
  return (await service.as('almoxarife')).post(paths.movements, { movimentacoes });
}

/** The movements that a client registered. */
export const moved = async (service: TestService, ...movimentacoes: object[]): Promise<Body[]> =>
  created(await move(service, ...movimentacoes)).data;

/** What a client sees of a batch at a place; null when it has never been there. */
export async function stockAt(
  service: TestService,
  idLote: number,
  fim: number,
  arm = fim,
): Promise<number | null> {
  const { status, body } = await (
    await service.as('almoxarife')
  ).get(`${paths.stock}/${idLote}:${fim}:${arm}`);
  return status === 404 ? null : (body.quantidade as number);
}

/** Movements of a batch, in the order in which they were registered. */
export async function movementsOf(service: TestService, idLote: number): Promise<Body[]> {
  const { body } = await (await service.as('almoxarife')).get(`${paths.movements}?idLote=${idLote}`);
  return body.data;
}

export function created({ status, body }: Answer): Body {
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}
