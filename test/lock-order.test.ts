import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial } from './support/make.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { batchBody, created, makeBatch, makeInvoice, moved, paths, type Body } from './support/stock.ts';

const service = useService();
const { batches, invoices, links, movements } = paths;
const materials = '/almoxarifadoquimicos/materiais';
const hazards = '/almoxarifadoquimicos/riscos-material';

afterEach(() => expectBalanced(service()));

/** How often PostgreSQL has ended a deadlock in this database. A connection reports this at the latest when it ends. */
async function deadlocks(): Promise<number> {
  const client = new pg.Client({ connectionString: service().databaseUrl });
  await client.connect();
  try {
    const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    await eventually(async () => {
      await client.query(`select pg_terminate_backend(pid) ${others}`);
      expect((await client.query(`select 1 ${others}`)).rows).toEqual([]);
    });
    const counted = 'select deadlocks::int from pg_stat_database where datname = current_database()';
    return (await client.query<{ deadlocks: number }>(counted)).rows[0]!.deadlocks;
  } finally {
    await client.end();
  }
}

type Request = (client: Client) => Promise<Answer>;

const WAITING = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

const ROUNDS = 8;

/** Sends the requests of several scenes, each scene's at the same time. None may deadlock or be refused for a lock. */
async function expectNoDeadlock(scene: () => Promise<readonly Request[]>): Promise<void> {
  const before = await deadlocks();
  const admin = await service().as('admin');
  await eventually(async () => expect((await admin.get('/readyz')).status).toBe(200));
  for (let round = 0; round < ROUNDS; round++) {
    const requests = await scene();
    const answers = await Promise.all(requests.map(send => send(admin)));
    for (const { status, body } of answers)
      expect({ status, body, isServed: [200, 201, 404].includes(status) }).toMatchObject({ isServed: true });
  }
  expect(await deadlocks()).toBe(before);
}

/** The requests wait in this order for a transaction that locks the invoice and runs this statement. */
async function expectNoDeadlockBehind(
  { id }: Body,
  statement: string,
  requests: readonly Request[],
): Promise<void> {
  const before = await deadlocks();
  const admin = await service().as('admin');
  const other = new pg.Client({ connectionString: service().databaseUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(`select from nota_fiscal where id = ${id} for update`);
    await other.query(statement);
    const sent: Promise<Answer>[] = [];
    for (const send of requests) {
      sent.push(send(admin));
      await eventually(async () => expect(await service().sql(WAITING)).toHaveLength(sent.length));
    }
    await other.query('commit');
    for (const { status } of await Promise.all(sent)) expect([200, 201]).toContain(status);
  } finally {
    await other.end();
  }
  expect(await deadlocks()).toBe(before);
}

const put =
  (path: string, body: object): Request =>
  client =>
    client.put(path, body);
const post =
  (path: string, body: object): Request =>
  client =>
    client.post(path, body);
const remove =
  (path: string): Request =>
  client =>
    client.delete(path);

describe('requests about one material do not deadlock:', () => {
  const authors = { criado_por: 1, alterado_por: 1 };
  const hazardOf = async (id_material: number, id_classificacao_risco: number): Promise<string> => {
    const admin = await service().as('admin');
    const { id } = created(await admin.post(hazards, { ...authors, id_material, id_classificacao_risco }));
    return `${hazards}/${id}`;
  };
  const withHazards = (...classes: number[]) => ({
    ...authors,
    titulo: 'Tolueno',
    descricao: '',
    id_unidade_medida: 1,
    estado_fisico: 'L',
    riscos: classes.map(id_classificacao_risco => ({ id_classificacao_risco })),
  });

  it('its hazards are replaced, and one of them is deleted', () =>
    expectNoDeadlock(async () => {
      const { id } = await makeMaterial(service());
      const held = [await hazardOf(id, 1), await hazardOf(id, 2)];
      return [put(`${materials}/${id}`, withHazards(3)), ...held.map(remove)];
    }));

  it('its hazards are replaced, and one of them is changed', () =>
    expectNoDeadlock(async () => {
      const { id: id_material } = await makeMaterial(service());
      const held = await hazardOf(id_material, 1);
      return [
        put(held, { ...authors, id_material, id_classificacao_risco: 2 }),
        put(`${materials}/${id_material}`, withHazards(3)),
      ];
    }));
});

describe('requests about one invoice do not deadlock:', () => {
  const header = ({ numero_nf, id_transportadora, id_fornecedor }: Body) => ({
    numero_nf,
    id_transportadora,
    id_fornecedor,
  });
  const invoice = (nota: Body, lotes: object[]): Request =>
    put(`${invoices}/${nota.id}`, { ...header(nota), lotes });
  const batch = ({ id, id_material, id_fabricante }: Body, more: object): Request =>
    put(`${batches}/${id}`, { id_material, id_fabricante, ...more });
  const from = (...notas: Body[]) => ({ notas_fiscais: notas.map(({ id }) => ({ id_nota_fiscal: id })) });
  const entry = ({ id, id_local }: Body, nota: Body) => ({
    id_lote: id,
    id_tipo_movimentacao: 1,
    id_local_destino_fim: id_local,
    quantidade: 1,
    fl_estorno: 'N',
    id_nota_fiscal: nota.id,
  });
  const linkOf = async ({ id }: Body, nota: Body): Promise<string> => {
    const [[found]] = (await service().sql(
      `select id from item_nota_fiscal where id_lote = ${id} and id_nota_fiscal = ${nota.id}`,
    )) as [[number]];
    return `${links}/${found}`;
  };
  /** An invoice with batches. */
  const delivered = async (count = 2): Promise<Body> => {
    const lotes = [];
    while (lotes.length < count) lotes.push(await batchBody(service(), { cod_lote: `L-${lotes.length}` }));
    return makeInvoice(service(), { lotes });
  };

  it('a batch is taken from it, and the link of the batch is deleted', () =>
    expectNoDeadlock(async () => {
      const nota = await delivered();
      const [lote] = nota.lotes;
      return [remove(await linkOf(lote, nota)), batch(lote, from())];
    }));

  it('its items are replaced, and the link of one is deleted', () =>
    expectNoDeadlock(async () => {
      const nota = await delivered();
      const [first, second] = nota.lotes;
      return [remove(await linkOf(first, nota)), invoice(nota, []), remove(await linkOf(second, nota))];
    }));

  it('its items are replaced, and a pending entry goes to another batch', () =>
    expectNoDeadlock(async () => {
      const nota = await makeInvoice(service());
      const [one, other] = [
        await makeBatch(service(), { controlado: true, ...from(nota) }),
        await makeBatch(service(), { controlado: true, ...from(nota) }),
      ];
      const [waiting] = await moved(service(), entry(other, nota));
      const { id_lote: _, ...given } = entry(other, nota);
      return [put(`${movements}/${waiting.id}`, { ...given, id_lote: one.id }), invoice(nota, [one, other])];
    }));

  it('the invoice is deleted, and its batches are changed', () =>
    expectNoDeadlock(async () => {
      const nota = await makeInvoice(service());
      const held = [await makeBatch(service()), await makeBatch(service())];
      for (const { id } of held)
        created(
          await (await service().as('almoxarife')).post(links, { id_nota_fiscal: nota.id, id_lote: id }),
        );
      return [
        remove(`${invoices}/${nota.id}`),
        ...held.map((lote, i) => batch(lote, { cod_lote: `L-${i}`, ...from() })),
        remove(`${batches}/${held[0].id}`),
      ];
    }));

  it('two batches exchange their invoices', () =>
    expectNoDeadlock(async () => {
      const notas = [await makeInvoice(service()), await makeInvoice(service())] as const;
      const held = [await makeBatch(service(), from(notas[0])), await makeBatch(service(), from(notas[1]))];
      return [batch(held[0], from(notas[1])), batch(held[1], from(notas[0]))];
    }));

  const meanwhile: [what: string, (lote: Body, nota: Body) => Request][] = [
    ['changed', lote => batch(lote, { cod_lote: 'L-9' })],
    ['deleted', lote => remove(`${batches}/${lote.id}`)],
    ['entered with it', (lote, nota) => post(movements, { movimentacoes: [entry(lote, nota)] })],
  ];
  it.each(meanwhile)(
    'its items wait for a batch that is linked to it, and that is %s',
    async (_, request) => {
      const nota = await delivered(1);
      const lote = await makeBatch(service());
      const linked = `insert into item_nota_fiscal (id_nota_fiscal, id_lote) values (${nota.id}, ${lote.id})`;
      await expectNoDeadlockBehind(nota, linked, [invoice(nota, nota.lotes), request(lote, nota)]);
    },
  );

  it('its items wait, whose batches came with another one, too, and movements enter with both', async () => {
    const notas = [await makeInvoice(service()), await makeInvoice(service())] as const;
    const shared = await makeBatch(service(), from(...notas));
    const others = [await makeBatch(service()), await makeBatch(service())];
    const movimentacoes = [entry(others[0], notas[1]), entry(others[1], notas[0])];
    await expectNoDeadlockBehind(notas[0], 'select', [
      invoice(notas[0], [shared]),
      post(movements, { movimentacoes }),
    ]);
  });
});
