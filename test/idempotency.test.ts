import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { dropOldAnswers } from '../src/request/idempotency.ts';
import type { Client } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial } from './support/make.ts';
import { grant } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { startService, useService } from './support/service.ts';
import { statementsDuring } from './support/statements.ts';
import { makeBatch } from './support/stock.ts';

const service = useService();
const base = '/almoxarifadoquimicos';
afterEach(() => expectBalanced(service()));

/** A client that sends a key with each request. */
const keyed = async (key: string, usuario = 'almoxarife'): Promise<Client> =>
  (await service().as(usuario)).with({ 'idempotency-key': key });

/** Body of an entry of a new batch. The code of the batch shows how often the request was executed. */
async function entry(codLote: string, quantidade = 3): Promise<object> {
  const material = await makeMaterial(service());
  return { id_material: material.id, id_fabricante: 1, cod_lote: codLote, quantidade, id_local: 1 };
}

const batches = async (codLote: string): Promise<number> =>
  (await service().sql('select id from lote where cod_lote = $1', [codLote])).length;

/** Delays an entry while `work` runs: it waits for a lock on its material. */
async function whileHeld(material: number, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client(service().databaseUrl);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from material where id = $1 for update', [material]);
    await work();
  } finally {
    await holder.end();
  }
}

describe('a POST that is sent again with its key', () => {
  it('is done once and gets the first answer', async () => {
    const client = await keyed(randomUUID());
    const body = await entry('TWICE');
    const first = await client.post(`${base}/lotes`, body);
    const again = await client.post(`${base}/lotes`, body);
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await batches('TWICE')).toBe(1);
  });

  it('gets the first answer from another process, and although the record has changed since', async () => {
    const other = await startService({}, service());
    try {
      const client = await keyed(randomUUID());
      const body = await entry('ELSEWHERE');
      const first = await client.post(`${base}/lotes`, body);
      await service().sql(`update lote set motivo = 'mudou' where cod_lote = 'ELSEWHERE'`);
      const again = await new (client.constructor as typeof Client)(other.url, client.headers).post(
        `${base}/lotes`,
        body,
      );
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(await batches('ELSEWHERE')).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('gets the page of movements that it got first', async () => {
    const lote = (await (await service().as('almoxarife')).post(`${base}/lotes`, await entry('PAGE', 5))).body
      .id;
    const client = await keyed(randomUUID());
    const movement = {
      id_lote: lote,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: 1,
      quantidade: 2,
      fl_estorno: 'N',
    };
    const first = await client.post(`${base}/movimentacoes-estoque`, { movimentacoes: [movement] });
    const again = await client.post(`${base}/movimentacoes-estoque`, { movimentacoes: [movement] });
    expect(again).toMatchObject({ status: 201, body: first.body });
    const [[left]] = (await service().sql('select quantidade from estoque where id_lote = $1', [lote])) as [
      [number],
    ];
    expect(left).toBe(3);
  });

  it('is refused with another body', async () => {
    const client = await keyed(randomUUID());
    const body = await entry('OTHER');
    await client.post(`${base}/lotes`, body);
    expectProblem(await client.post(`${base}/lotes`, { ...body, quantidade: 4 }), 422, 'VALIDATION_FAILED');
    expectProblem(
      await client.post(`${base}/estoques`, {
        id_lote: 1,
        id_local_fim: 1,
        id_local_armazenado: 1,
        quantidade: 1,
      }),
      422,
      'VALIDATION_FAILED',
    );
    expect(await batches('OTHER')).toBe(1);
  });

  it('is another request if another person sends it', async () => {
    const key = randomUUID();
    const body = await entry('PERSONS');
    const answers = [
      await (await keyed(key)).post(`${base}/lotes`, body),
      await (await keyed(key, 'admin')).post(`${base}/lotes`, body),
    ];
    expect(answers.map(answer => answer.status)).toEqual([201, 201]);
    expect(await batches('PERSONS')).toBe(2);
  });

  it('is done if the first one failed', async () => {
    const client = await keyed(randomUUID());
    const body = { ...(await entry('LATER')), id_local: 0 };
    expectProblem(await client.post(`${base}/lotes`, body), 422, 'VALIDATION_FAILED');
    expect((await client.post(`${base}/lotes`, { ...body, id_local: 1 })).status).toBe(201);
  });

  it('is refused while the first one runs, and answered after it has ended', async () => {
    const client = await keyed(randomUUID());
    const body = (await entry('RUNNING')) as { id_material: number };
    let first: ReturnType<Client['post']> | undefined;
    await whileHeld(body.id_material, async () => {
      first = client.post(`${base}/lotes`, body);
      await eventually(async () => expect((await client.post(`${base}/lotes`, body)).status).toBe(409));
    });
    expect((await first!).status).toBe(201);
    expect(await client.post(`${base}/lotes`, body)).toMatchObject({
      status: 201,
      body: (await first!).body,
    });
    expect(await batches('RUNNING')).toBe(1);
  });

  it('is done once if it is sent twenty times at once', async () => {
    const client = await keyed(randomUUID());
    const body = await entry('CROWD');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(`${base}/lotes`, body)));
    const done = answers.filter(answer => answer.status === 201);
    expect(answers.filter(answer => answer.status === 409).length).toBe(20 - done.length);
    expect(new Set(done.map(answer => answer.body.id)).size).toBe(1);
    expect(await batches('CROWD')).toBe(1);
  });

  it('is a new one after a day, and the old answer is deleted', async () => {
    const key = randomUUID();
    const client = await keyed(key);
    const body = await entry('DAYS');
    await client.post(`${base}/lotes`, body);
    const kept = () => service().sql('select 1 from idempotencia where chave = $1', [key]);
    await dropOldAnswers(service().services.listing.reader);
    expect(await kept()).toHaveLength(1);
    await service().sql(
      `update idempotencia set criado_em = now() - interval '24 hours 1 second' where chave = $1`,
      [key],
    );
    expect((await client.post(`${base}/lotes`, body)).status).toBe(201);
    expect(await batches('DAYS')).toBe(2);
    await service().sql(
      `update idempotencia set criado_em = now() - interval '24 hours 1 second' where chave = $1`,
      [key],
    );
    await dropOldAnswers(service().services.listing.reader);
    expect(await kept()).toHaveLength(0);
  });

  it.each(['', 'two words', 'ção', 'x'.repeat(256)])('%j is refused as a key', async key => {
    const answer = await (await keyed(encodeHeader(key))).post(`${base}/lotes`, await entry('NOKEY'));
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(await batches('NOKEY')).toBe(0);
  });

  it('gets no answer if the right is gone', async () => {
    const key = randomUUID();
    const body = await entry('RIGHTS');
    await (await keyed(key)).post(`${base}/lotes`, body);
    await service().sql(
      `update permissao set situacao = 'I' where id_pessoa = (select id from pessoa where usuario = 'almoxarife')`,
    );
    try {
      expectProblem(await (await keyed(key)).post(`${base}/lotes`, body), 403, 'FORBIDDEN');
    } finally {
      await service().sql(
        `update permissao set situacao = 'A' where id_pessoa = (select id from pessoa where usuario = 'almoxarife')`,
      );
    }
  });
});

/** Each byte of the UTF-8 text as one character, because fetch accepts no other headers. */
const encodeHeader = (text: string): string => Buffer.from(text).toString('latin1');

describe('a GraphQL mutation that is sent again with its key', () => {
  const mutation = `mutation ($a: LoteInput!, $b: LoteInput!) {
    first: criarLote(input: $a) { id codLote criadoEm }
    second: criarLote(input: $b) { id codLote }
  }`;
  const input = async (codLote: string) => {
    const { id } = await makeMaterial(service());
    return { idMaterial: id, idFabricante: 1, codLote, quantidade: 1, idLocal: 1 };
  };

  /** Withdrawals of one unit each, from as many batches. */
  async function withdrawals(howMany: number): Promise<object[]> {
    const made = await Promise.all(Array.from({ length: howMany }, () => makeBatch(service())));
    const withdrawal = { idTipoMovimentacao: 4, quantidade: 1, flEstorno: false };
    return made.map(({ id, id_local }) => ({ idLote: id, ...withdrawal, idLocalOrigemFim: id_local }));
  }

  it('is done once, each of its fields', async () => {
    const client = await keyed(randomUUID());
    const variables = { a: await input('GRAPH'), b: await input('GRAPH') };
    const first = await client.graphql(mutation, variables);
    expect(first.errors).toBeUndefined();
    expect(await client.graphql(mutation, variables)).toEqual(first);
    expect(await batches('GRAPH')).toBe(2);
  });

  it('is refused with other fields or arguments', async () => {
    const client = await keyed(randomUUID());
    const variables = { a: await input('GRAPHS'), b: await input('GRAPHS') };
    await client.graphql(mutation, variables);
    const { errors } = await client.graphql(mutation.replace('criadoEm', 'quantidade'), variables);
    const refused = (alias: string) => ({ path: [alias], extensions: { code: 'VALIDATION_FAILED' } });
    expect(errors).toMatchObject([refused('first'), refused('second')]);
    const renamed = await client.graphql(mutation.replace('first', 'a').replace('second', 'b'), variables);
    expect(renamed.errors).toMatchObject([refused('a'), refused('b')]);
    const alone = `mutation ($a: LoteInput!) { third: criarLote(input: $a) { id } }`;
    expect((await client.graphql(alone, { a: variables.a })).errors).toMatchObject([refused('third')]);
    expect(await batches('GRAPHS')).toBe(2);
  });

  it('is done once, even if its fields are in a fragment', async () => {
    const client = await keyed(randomUUID());
    const variables = { a: await input('SPREAD'), b: await input('SPREAD') };
    const spread = mutation.replace('{', '{ ...Both } fragment Both on Mutation {');
    const first = await client.graphql(spread, variables);
    expect(first.errors).toBeUndefined();
    expect(await client.graphql(spread, variables)).toEqual(first);
    expect(await batches('SPREAD')).toBe(2);
  });

  it('gets the sums that it got first, although the records have changed since', async () => {
    const [[lote]] = (await service().sql(
      'select id_lote from estoque where quantidade > 9 and id_local_fim = 1 limit 1',
    )) as [[number]];
    const client = await keyed(randomUUID());
    const left = (quantidade: number) =>
      `{ idLote: ${lote}, idTipoMovimentacao: 4, idLocalOrigemFim: 1, quantidade: ${quantidade}, flEstorno: false }`;
    const twice = `mutation ($first: Int = 5, $without: Boolean = false) {
      criarMovimentacoesEstoque(input: { movimentacoes: [${left(2)}, ${left(3)}] }) {
        total
        sums: summary { count sum { quantidade } min { data } }
        ...Batches
        part: groups(by: [{ quantidade: true }], first: 1) @skip(if: $without) { count }
      }
    }
    fragment Batches on MovimentacaoPage { groups(by: [{ lote: { motivo: true } }], first: $first) { key { lote { motivo } } count } }`;
    const first = await client.graphql(twice);
    expect(first).toMatchObject({
      data: {
        criarMovimentacoesEstoque: {
          total: 2,
          sums: { count: 2, sum: { quantidade: 5 } },
          groups: [{ count: 2 }],
          part: [{ count: 1 }],
        },
      },
    });
    await service().sql(`update lote set motivo = 'mudou' where id = $1`, [lote]);
    expect(await client.graphql(twice)).toEqual(first);
  });

  it('gets again the records that it may not read as errors at their fields', async () => {
    const restore = await grant(service(), 'docente', {
      controller: `almoxarifadoquimicos/movimentacoes-estoque`,
      nivel: 2,
    });
    try {
      const client = await keyed(randomUUID(), 'docente');
      const withheld = `mutation ($movements: [MovimentacaoInput!]!) {
        criarMovimentacoesEstoque(input: { movimentacoes: $movements }) {
          data { id lote { codLote material { titulo tipoControle { orgaoControlador } } } }
        }
      }`;
      const variables = { movements: await withdrawals(1) };
      const first = await client.graphql(withheld, variables);
      expect(first.data.criarMovimentacoesEstoque.data[0].lote.material.tipoControle).toBeNull();
      expect(first.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(await client.graphql(withheld, variables)).toEqual(first);
    } finally {
      await restore();
    }
  });

  it('gets no linked record that it may not read any more', async () => {
    const clerk = (controller: string, nivel: number) =>
      grant(service(), 'docente', { controller: `almoxarifadoquimicos/${controller}`, nivel });
    const restore = await clerk('movimentacoes-estoque', 2);
    const takeAway = await clerk('unidades-medida', 1);
    try {
      const client = await keyed(randomUUID(), 'docente');
      const shown = `mutation ($movements: [MovimentacaoInput!]!) {
        criarMovimentacoesEstoque(input: { movimentacoes: $movements }) {
          data { lote { material { unidadeMedida { sigla } } } }
        }
      }`;
      const variables = { movements: await withdrawals(1) };
      const unit = ({ data }: any) => data.criarMovimentacoesEstoque.data[0].lote.material.unidadeMedida;
      expect(unit(await client.graphql(shown, variables)).sigla).toBeTypeOf('string');
      await takeAway();
      const again = await client.graphql(shown, variables);
      expect(unit(again)).toBeNull();
      expect(again.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    } finally {
      await restore();
    }
  });

  it('reads the pages of linked records for all records together', async () => {
    const client = await keyed(randomUUID());
    const pages = `mutation ($movements: [MovimentacaoInput!]!) {
      criarMovimentacoesEstoque(input: { movimentacoes: $movements }) { data { lote { id estoques { total } } } }
    }`;
    const variables = { movements: await withdrawals(5) };
    const first = await client.graphql(pages, variables);
    expect(first.errors).toBeUndefined();
    const again = await statementsDuring(service(), () => client.graphql(pages, variables));
    expect(again.answer).toEqual(first);
    expect(again.statements.filter(text => text.includes('from "estoque"')).length).toBe(1);
  });

  it('does nothing when its sums cannot be computed', async () => {
    const { id } = await makeMaterial(service());
    const batch = `{ idMaterial: ${id}, idFabricante: 1, codLote: "NO SUMS" }`;
    const movement = `{ lote: ${batch}, idTipoMovimentacao: 2, idLocalDestinoFim: 1, quantidade: 1, flEstorno: false }`;
    await grant(service(), 'discente', {
      controller: 'almoxarifadoquimicos/movimentacoes-estoque',
      nivel: 2,
    });
    const { data, errors } = await (
      await keyed(randomUUID(), 'discente')
    ).graphql(
      `mutation { criarMovimentacoesEstoque(input: { movimentacoes: [${movement}] }) { groups(by: [{ lote: { material: { tipoControle: { id: true } } } }]) { count } } }`,
    );
    expect(data).toEqual({ criarMovimentacoesEstoque: null });
    const field = 'by[0].lote.material.tipoControle';
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', errors: [{ field }] } }]);
    expect(await batches('NO SUMS')).toBe(0);
  });
});
