import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import { makePlace } from './make.ts';
import { opened } from './openings.ts';
import type { TestService } from './service.ts';
import { batchBody, makeBatch, makeInvoice, paths, type Body } from './stock.ts';

const { approvals, invoices, links, movements } = paths;

/** One request of a history. `which` selects one of the movements known at that time. */
interface InvoiceStep {
  act: string;
  quantity?: number;
  place?: number;
  which?: number;
}

const quantity = fc.integer({ min: 1, max: 40 });
const place = fc.nat(1);
const which = fc.nat(9);
export const anyInvoiceStep: fc.Arbitrary<InvoiceStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('part', 'donate', 'use'), quantity, place }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('undo', 'rewrite'), quantity, which }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom('approve', 'approve', 'reject', 'delete'), which }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('correct'), quantity }) },
  // To what stands of the entries: this is what an item is most often corrected to.
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('toInvoiced', 'toBoth') }) },
);

/** A movement as stored. `undoes`: the ids of the movements that it reverses. */
interface Row {
  id: number;
  criado_em: string;
  id_tipo_movimentacao: number;
  id_status_movimentacao: number;
  id_nota_fiscal: number | null;
  fl_estorno: 'S' | 'N';
  quantidade: number;
  quantidade_estornada: number;
  quantidade_em_estorno: number;
  undoes: number[] | null;
}

const isEntry = (row: Row): boolean => row.fl_estorno === 'N' && row.id_tipo_movimentacao <= 2;
const standing = (rows: readonly Row[]): number =>
  rows
    .filter(row => isEntry(row) && row.id_status_movimentacao !== 3)
    .reduce((sum, row) => sum + row.quantidade - row.quantidade_estornada - row.quantidade_em_estorno, 0);

/** The own entries of a batch that came without an invoice, as docs/invoices.md says. */
function ownOf(rows: readonly Row[]): Row[] {
  for (const row of rows.filter(isEntry)) {
    const isVoid = row.id_status_movimentacao === 3 || row.quantidade_estornada === row.quantidade;
    if (row.id_nota_fiscal !== null) return [];
    if (isVoid) continue;
    const isTogether = (one: Row): boolean => one.id_nota_fiscal === null && one.criado_em === row.criado_em;
    return rows.filter(one => isEntry(one) && isTogether(one));
  }
  return [];
}

/** How the batch came: with the invoice, or linked to it later, and then perhaps opened at both places by a file. */
export const anyArrival = fc.constantFrom('invoice' as const, 'linked' as const, 'opened' as const);
type Arrival = 'invoice' | 'linked' | 'opened';

/** An invoice with one batch, which came with it or was linked later, and two places. */
export class InvoiceScene {
  private constructor(
    private readonly service: TestService,
    private readonly client: Client,
    readonly nota: Body,
    private readonly lote: Body,
    private readonly places: readonly number[],
  ) {}

  static async set(service: TestService, arrival: Arrival, controlado: boolean): Promise<InvoiceScene> {
    const client = await service.as('admin');
    const given = { controlado, quantidade: 20 };
    const came = arrival === 'invoice';
    const nota = await makeInvoice(service, came ? { lotes: [await batchBody(service, given)] } : {});
    const at = arrival === 'opened' ? await opened(service, [12, 8], controlado) : undefined;
    const lote = at?.lote ?? (came ? nota.lotes[0] : await makeBatch(service, given));
    if (!came) await client.post(links, { id_nota_fiscal: nota.id, id_lote: lote.id });
    const { id: there } = at?.places[1] ?? (await makePlace(service));
    return new InvoiceScene(service, client, nota, lote, [lote.id_local, there]);
  }

  async rows(): Promise<Row[]> {
    const rows = await this.service.sql(
      `select to_jsonb(m) || jsonb_build_object('undoes', (
         select jsonb_agg(e.id_estornada order by e.id_estornada) from estorno e where e.id_movimentacao = m.id
       )) from movimentacao m where m.id_lote = $1 order by m.id`,
      [this.lote.id],
    );
    return rows.flat() as Row[];
  }

  read = async (): Promise<Body> => (await this.client.get(`${invoices}/${this.nota.id}`)).body;
  put = (quantidade: number, nota: Body): Promise<Answer> =>
    this.client.put(`${invoices}/${nota.id}`, { ...nota, lotes: [{ ...nota.lotes[0], quantidade }] });

  /** The entries of which the item may take or to which it may add. */
  mine = (rows: readonly Row[]): Row[] => {
    const own = ownOf(rows);
    return rows.filter(row => isEntry(row) && (row.id_nota_fiscal === this.nota.id || own.includes(row)));
  };
  invoiced = (rows: readonly Row[]): Row[] => rows.filter(row => row.id_nota_fiscal === this.nota.id);

  async act({ act, quantity: quantidade = 1, place: at = 0, which: nth = 0 }: InvoiceStep): Promise<void> {
    const rows = await this.rows();
    const { id } = rows[nth % rows.length] ?? { id: 0 };
    const local = this.places[at];
    const into = { id_lote: this.lote.id, quantidade, fl_estorno: 'N', id_local_destino_fim: local };
    const post = (given: object): Promise<Answer> =>
      this.client.post(movements, { movimentacoes: [{ ...into, ...given }] });
    const acts: Record<string, () => Promise<unknown>> = {
      part: () => post({ id_tipo_movimentacao: 1, id_nota_fiscal: this.nota.id }),
      donate: () => post({ id_tipo_movimentacao: 2 }),
      use: () => post({ id_tipo_movimentacao: 4, id_local_destino_fim: null, id_local_origem_fim: local }),
      undo: () =>
        this.client.graphql(`mutation { estornarMovimentacao(id: ${id}, quantidade: ${quantidade}) { id } }`),
      rewrite: () => this.client.put(`${movements}/${id}`, into),
      approve: () => this.client.post(approvals, { id_movimentacao: id }),
      reject: () => this.client.post(`${approvals}?rejeitar=true`, { id_movimentacao: id }),
      delete: () => this.client.delete(`${movements}/${id}`),
    };
    await acts[act]!();
  }
}

/** Corrects the item, and checks what that did to the ledger. */
async function expectCorrected(
  scene: InvoiceScene,
  quantidade: number,
  before: readonly Row[],
): Promise<void> {
  const nota = await scene.read();
  const shown = nota.lotes[0].quantidade as number;
  const [stoodMine, stoodInvoiced] = [standing(scene.mine(before)), standing(scene.invoiced(before))];
  const isExact = [stoodMine, stoodInvoiced].includes(shown);
  const { status, body } = await scene.put(quantidade, nota);
  const after = await scene.rows();
  if (status !== 200 || quantidade === shown) {
    // What shows how much stands is refused only where the stock has gone.
    const answers = isExact
      ? ['200', '409 INSUFFICIENT_STOCK']
      : ['200', '409 CONFLICT', '409 INSUFFICIENT_STOCK'];
    if (quantidade > 0) expect(answers).toContain(status === 200 ? '200' : `${status} ${body.code}`);
    expect(after).toEqual(before);
    return;
  }
  const mine = new Set(scene.mine(before).map(({ id }) => id));
  const others = (rows: readonly Row[]): Row[] =>
    rows.filter(({ id }) => !mine.has(id) && before.some(row => row.id === id));
  expect(others(after)).toEqual(others(before));
  const made = after.filter(({ id }) => before.every(row => row.id !== id));
  for (const { fl_estorno, undoes, id_nota_fiscal } of made)
    if (fl_estorno === 'N') expect(id_nota_fiscal).toBe(scene.nota.id);
    else expect(undoes!.every(id => mine.has(id))).toBe(true);
  const both = [...after.filter(({ id }) => mine.has(id)), ...made];
  expect([standing(scene.invoiced(after)), standing(both)]).toContain(quantidade);
  const moved = standing(both) - stoodMine;
  if (isExact) expect(moved).toBe(quantidade - shown);
  else if (quantidade > shown) expect(moved).toBeGreaterThanOrEqual(0);
  await scene.put(quantidade, await scene.read());
  expect(await scene.rows()).toEqual(after);
}

/** Sends the request of a step. A correction must leave the ledger as docs/invoices.md says. */
export async function expectStep(scene: InvoiceScene, step: InvoiceStep): Promise<void> {
  const rows = await scene.rows();
  const corrected: Record<string, number> = {
    correct: step.quantity ?? 1,
    toInvoiced: standing(scene.invoiced(rows)),
    toBoth: standing(scene.mine(rows)),
  };
  const to = corrected[step.act];
  await (to === undefined ? scene.act(step) : expectCorrected(scene, to, rows));
}
