import { describe, expect, it } from 'vitest';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { useService } from './support/service.ts';
import { paths } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);

async function answered(usuario: string, query: string): Promise<any> {
  const { data, errors } = await (await service().as(usuario)).graphql(query);
  expect(errors, query).toBeUndefined();
  return data;
}

const nameOf = async (usuario: string): Promise<string> =>
  (await service().sql('select nome from pessoa where usuario = $1', [usuario]))[0]![0] as string;

const requests = `solicitacoesAprovacao(filter: { movimentacao: { id: { eq: ID } } })`;
const ofEntry = (query: string): string => query.replaceAll('ID', String(scene.entry.id));

describe('who did something', () => {
  it('has a name for who decides on the request, although they may not read people', async () => {
    const data = await answered(
      'almoxarife',
      ofEntry(`{ ${requests} { data { solicitadoPor solicitante { nome } decisor { nome }
        movimentacao { criadoPor autor { nome } } } } }`),
    );
    const nome = await nameOf('almoxarife');
    expect(data.solicitacoesAprovacao.data).toEqual([
      {
        solicitadoPor: expect.any(Number),
        solicitante: { nome },
        decisor: null,
        movimentacao: { criadoPor: expect.any(Number), autor: { nome } },
      },
    ]);
  });

  it('has a name once the request is decided, and finds it', async () => {
    await scene.approve(scene.entry.id);
    const decided = ofEntry(`{ movimentacaoEstoque(id: ID) { solicitacoesAprovacao(
      filter: { decisor: { usuario: { eq: "admin" } } }) { total data { decisor { nome } } } } }`);
    const { movimentacaoEstoque } = await answered('almoxarife', decided);
    expect(movimentacaoEstoque.solicitacoesAprovacao).toEqual({
      total: 1,
      data: [{ decisor: { nome: await nameOf('admin') } }],
    });
  });

  it('is filtered, ordered and grouped by like any other link, and read from its other end', async () => {
    const data = await answered(
      'admin',
      ofEntry(`{
        movimentacoesEstoque(filter: { id: { eq: ID }, autor: { nome: { startsWith: "${await nameOf('almoxarife')}" } } },
          orderBy: [{ autor: { nome: asc } }]) { total groups(by: [{ autor: { nome: true } }]) { key { autor { nome } } } }
        ${requests} { data { solicitante {
          movimentacoes(filter: { id: { eq: ID } }) { total }
          solicitacoesAprovacaoBySolicitante(filter: { movimentacao: { id: { eq: ID } } }) { total }
          solicitacoesAprovacaoByDecisor(filter: { movimentacao: { id: { eq: ID } } }) { total } } } } }`),
    );
    expect(data.movimentacoesEstoque).toEqual({
      total: 1,
      groups: [{ key: { autor: { nome: await nameOf('almoxarife') } } }],
    });
    expect(data.solicitacoesAprovacao.data[0].solicitante).toEqual({
      movimentacoes: { total: 1 },
      solicitacoesAprovacaoBySolicitante: { total: 1 },
      solicitacoesAprovacaoByDecisor: { total: 0 },
    });
  });

  it('is empty where the key is of nobody', async () => {
    await service().sql('update movimentacao set criado_por = 999999 where id = $1', [scene.entry.id]);
    const one = ofEntry('{ movimentacaoEstoque(id: ID) { criadoPor autor { nome } } }');
    expect((await answered('tecnico', one)).movimentacaoEstoque).toEqual({ criadoPor: 999_999, autor: null });
  });

  it('shows no more of a person than other links to people do', async () => {
    const { data } = await (
      await service().as('admin')
    ).graphql('{ __type(name: "SolicitacaoAprovacao") { fields { name type { name } } } }');
    const types = new Map(data.__type.fields.map((field: any) => [field.name, field.type.name]));
    expect([types.get('solicitante'), types.get('decisor')]).toEqual(['Pessoa', 'Pessoa']);
  });

  it('is a number for REST clients, as ever', async () => {
    const { body } = await (await service().as('almoxarife')).get(paths.approvals);
    const request = body.data.find((one: any) => one.id_movimentacao === scene.entry.id);
    expect(request.solicitado_por).toEqual(expect.any(Number));
    for (const name of ['solicitante', 'id_solicitante', 'decisor']) expect(request).not.toHaveProperty(name);
    expect(request.movimentacao).not.toHaveProperty('autor');
  });
});
