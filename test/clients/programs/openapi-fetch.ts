import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.ts';
import { admin, beginning, keeper, need, type Outcome, type Service } from './outcome.ts';

type Material = components['schemas']['Material'];

export async function run({ url, system }: Service): Promise<Outcome> {
  // Lists also come as files. Here they are read as JSON.
  const client = createClient<paths, `application/${string}json`>({ baseUrl: url, headers: system });
  const logIn = async (body: { username: string; password: string }) => {
    const { data } = await client.POST('/auth/login', { body });
    return need(data, 'session');
  };
  const session = await logIn(keeper);
  const headers = { token: session.token };
  const { data: page } = await client.GET('/almoxarifadoquimicos/materiais', {
    params: { query: { titulo: 'acido', orderByTitulo: 'asc', pagination: true, itemsPerPage: 2 } },
    headers,
  });
  const material: Material = need(page?.data[0], 'material');

  const { data: batches } = await client.GET('/almoxarifadoquimicos/lotes', {
    params: { query: { pagination: true, itemsPerPage: 100 } },
    headers,
  });
  const batch = batches?.data.find(one => one.material.tipo_controle?.exige_aprovacao);
  const { data: moved } = await client.POST('/almoxarifadoquimicos/movimentacoes-estoque', {
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
    headers,
  });
  const movement = need(moved?.data[0], 'movement');
  const { token } = await logIn(admin);
  const { data: request } = await client.POST('/almoxarifadoquimicos/aprova-movimentacoes', {
    body: { id_movimentacao: movement.id },
    headers: { token },
  });

  const { data: file } = await client.GET('/relatorios/almoxarifado-quimicos/materiais-estocados', {
    params: { query: { pdf: true } },
    headers,
    parseAs: 'blob',
  });
  const { error } = await client.GET('/almoxarifadoquimicos/materiais/{id}', {
    params: { path: { id: 999_999 } },
    headers,
  });
  return {
    person: session.pessoa.nome,
    found: { total: page!.total, title: material.titulo, unit: material.unidade_medida.sigla },
    created: movement.id_status_movimentacao,
    approved: need(request, 'request').situacao,
    downloaded: await beginning(need(file, 'file')),
    refused: error?.code,
  };
}
