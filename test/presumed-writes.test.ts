import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from './support/administration.ts';
import type { Answer, Client } from './support/client.ts';
import { makeProfile } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { created, makeBatch, paths, type Body } from './support/stock.ts';

const service = useService();
const MOVEMENTS = 'almoxarifadoquimicos/movimentacoes-estoque';
const KINDS = 'almoxarifadoquimicos/tipos-empresas';

let writer: Awaited<ReturnType<typeof makeCaller>>;
let lote: Body;
/** A record of the writer: a kind of company. */
let kind: { id: number };

/** Somebody who has just written, so that the process knows their session. */
beforeEach(async () => {
  writer = await makeCaller(
    service(),
    [MOVEMENTS, KINDS].map(controller => ({ controller, nivel: 2 })),
  );
  lote = await makeBatch(service());
  kind = created(await writer.client.post(`/${KINDS}`, { descricao: randomUUID(), obriga_cnpj: 'N' }));
});

const movement = (quantidade: number) => ({
  id_lote: lote.id,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: lote.id_local,
  quantidade,
  fl_estorno: 'N',
});
const move = (client: Client, quantidade = 1) =>
  client.post(paths.movements, { movimentacoes: [movement(quantidade)] });
const MOVE = `criarMovimentacoesEstoque(input: { movimentacoes: [
  { idLote: $idLote, idTipoMovimentacao: 4, idLocalOrigemFim: $idLocal, quantidade: 1, flEstorno: false }] }) { total }`;
const moveByGraphql = (client: Client, fields = MOVE) =>
  client.graphql(`mutation ($idLote: Int!, $idLocal: Int!) { ${fields} }`, {
    idLote: lote.id,
    idLocal: lote.id_local,
  });

/** How many movements took something of the batch. */
const taken = async (): Promise<number> =>
  (
    await service().sql('select id from movimentacao where id_lote = $1 and id_tipo_movimentacao = 4', [
      lote.id,
    ])
  ).length;

const other = { descricao: 'Outro tipo', obriga_cnpj: 'N' };
const kept = async (): Promise<boolean> =>
  (await service().sql('select id from tipo_empresa where id = $1', [kind.id])).length === 1;

const end = () =>
  service().sql('update sessao set encerrada_em = now() where id_pessoa = $1', [writer.idPessoa]);
const lose = () => service().sql('delete from permissao where id = $1', [writer.idPermissao]);
/** Gives the writer a right that has nothing to do with what they write. */
const gain = async () => {
  const itens = [{ controller: 'almoxarifadoquimicos/materiais', nivel: 1 }];
  const idPerfil = await makeProfile(service(), { itens });
  await service().sql('insert into permissao (id_pessoa, id_perfil) values ($1, $2)', [
    writer.idPessoa,
    idPerfil,
  ]);
};

describe.each([
  ['session has ended', end, 401, 'UNAUTHENTICATED'],
  ['right was taken away', lose, 403, 'FORBIDDEN'],
] as const)('a writer whose %s since their last request', (_what, change, status, code) => {
  it.each([
    ['a movement', move],
    ['a movement of more than there is', client => move(client, 1_000_000)],
    ['a wrong movement', client => client.post(paths.movements, { movimentacoes: [{ quantidade: 0 }] })],
    ['a new record', client => client.post(`/${KINDS}`, other)],
    ['a change', client => client.put(`/${KINDS}/${kind.id}`, other)],
    ['a deletion', client => client.delete(`/${KINDS}/${kind.id}`)],
  ] as [string, (client: Client) => Promise<Answer>][])('writes nothing by %s', async (_request, send) => {
    await change();
    expectProblem(await send(writer.client), status, code);
    expect(await taken()).toBe(0);
    expect(
      await service().sql('select id from tipo_empresa where descricao = $1', [other.descricao]),
    ).toEqual([]);
    expect(await kept()).toBe(true);
  });

  it('writes nothing by GraphQL, alone or with others', async () => {
    await change();
    expect((await moveByGraphql(writer.client)).errors![0]!.extensions.code).toBe(code);
    const both = `mutation { a: excluirTipoEmpresa(id: ${kind.id}) { id } b: excluirTipoEmpresa(id: ${kind.id}) { id } }`;
    const { errors } = await writer.client.graphql(both);
    expect(errors!.map(({ extensions }) => extensions.code)).toEqual([code, code]);
    expect(await kept()).toBe(true);
    expect(await taken()).toBe(0);
  });

  it('is not told the answer that is kept under their key', async () => {
    const client = writer.client.with({ 'idempotency-key': randomUUID() });
    expect((await move(client)).status).toBe(201);
    await change();
    expectProblem(await move(client), status, code);
    expect(await taken()).toBe(1);
  });
});

describe('a writer who was given another right since their last request', () => {
  it('writes once', async () => {
    await gain();
    expect((await move(writer.client)).status).toBe(201);
    expect(await taken()).toBe(1);
  });

  it('writes once by GraphQL', async () => {
    await gain();
    expect((await moveByGraphql(writer.client)).errors).toBeUndefined();
    expect(await taken()).toBe(1);
  });

  it('writes each of several mutations once', async () => {
    await gain();
    const { data } = await moveByGraphql(writer.client, `a: ${MOVE} b: ${MOVE}`);
    expect(data).toEqual({ a: { total: 1 }, b: { total: 1 } });
    expect(await taken()).toBe(2);
  });

  it('writes once under a key, and is told so again', async () => {
    const client = writer.client.with({ 'idempotency-key': randomUUID() });
    await gain();
    const first = await move(client);
    expect(first.status).toBe(201);
    await gain();
    expect((await move(client)).body).toEqual(first.body);
    expect(await taken()).toBe(1);
  });
});
