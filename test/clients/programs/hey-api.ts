import { createClient } from './generated/hey-api/client/index.ts';
import {
  aprovarMovimentacao,
  criarMovimentacoesEstoque,
  entrar,
  lotes,
  materiais,
  materiaisEstocados,
  material as readMaterial,
} from './generated/hey-api/sdk.gen.ts';
import type { Material } from './generated/hey-api/types.gen.ts';
import { admin, beginning, keeper, need, type Outcome, type Service } from './outcome.ts';

export async function run({ url, system }: Service): Promise<Outcome> {
  const client = createClient({ baseUrl: url, headers: system });
  const session = need((await entrar({ client, body: keeper })).data, 'session');
  const headers = { token: session.token };
  const { data: page } = await materiais({
    client,
    headers,
    query: { titulo: 'acido', orderByTitulo: 'asc', pagination: true, itemsPerPage: 2 },
  });
  const material: Material = need(page?.data[0], 'material');

  const { data: batches } = await lotes({ client, headers, query: { pagination: true, itemsPerPage: 100 } });
  const batch = batches?.data.find(one => one.material.tipo_controle?.exige_aprovacao);
  const { data: moved } = await criarMovimentacoesEstoque({
    client,
    headers,
    body: {
      movimentacoes: [
        {
          id_lote: need(batch, 'controlled batch').id,
          id_tipo_movimentacao: 2,
          id_local_destino_fim: 1,
          quantidade: 1,
          fl_estorno: 'N',
        },
      ],
    },
  });
  const movement = need(moved?.data[0], 'movement');
  const { token } = need((await entrar({ client, body: admin })).data, 'session');
  const { data: request } = await aprovarMovimentacao({
    client,
    headers: { token },
    body: { id_movimentacao: movement.id },
  });

  const { data: file } = await materiaisEstocados({ client, headers, query: { pdf: true }, parseAs: 'blob' });
  const { error } = await readMaterial({ client, headers, path: { id: 999_999 } });
  return {
    person: session.pessoa.nome,
    found: { total: page!.total, title: material.titulo, unit: material.unidade_medida.sigla },
    created: movement.id_status_movimentacao,
    approved: need(request, 'request').situacao,
    downloaded: await beginning(need(file, 'file') as unknown as Blob),
    refused: error?.code,
  };
}
