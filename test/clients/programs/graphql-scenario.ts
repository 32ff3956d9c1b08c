import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import * as documents from './generated/graphql/graphql.ts';
import { admin, beginning, keeper, need, type Outcome, type Service } from './outcome.ts';

/** Sends a document with a GraphQL client. Throws an error with its `code` as message. */
export type Send = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  headers: Record<string, string>,
) => Promise<Data>;

/** The steps of every GraphQL client, with types from the schema. */
export async function scenario(send: Send, { url, system }: Service): Promise<Outcome> {
  const enter = async (input: { username: string; password: string }) =>
    need((await send(documents.LogInDocument, { input }, system)).entrar, 'session');
  const session = await enter(keeper);
  const headers = { token: session.token };
  const page = need(
    (await send(documents.FindMaterialsDocument, { title: 'acido' }, headers)).materiais,
    'page',
  );
  const material = need(page.data[0], 'material');
  const batch = need(
    (await send(documents.FindBatchDocument, {}, headers)).lotes?.data[0],
    'controlled batch',
  );
  const input = {
    movimentacoes: [
      { idLote: batch.id, idTipoMovimentacao: 2, idLocalDestinoFim: 1, quantidade: 1, flEstorno: false },
    ],
  };
  const moved = await send(documents.MoveDocument, { input }, headers);
  const movement = need(moved.criarMovimentacoesEstoque?.data[0], 'movement');
  const { token } = await enter(admin);
  const { aprovarMovimentacao: request } = await send(
    documents.ApproveDocument,
    { id: movement.id },
    { token },
  );
  const path = '/relatorios/almoxarifado-quimicos/materiais-estocados?pdf=true';
  const address = need((await send(documents.DownloadDocument, { path }, headers)).download, 'address').url;
  const refused = await send(documents.RenameMaterialDocument, { id: 999_999, input: renamed }, headers).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return {
    person: session.pessoa.nome,
    found: { total: page.total, title: material.titulo, unit: material.unidadeMedida?.sigla ?? null },
    created: movement.idStatusMovimentacao,
    approved: need(request, 'request').situacao,
    downloaded: await beginning(await (await fetch(new URL(address, url))).blob()),
    refused,
  };
}

/** The fragment of a material. */
export const renamed = {
  titulo: 'Ácido renomeado',
  descricao: 'P.A.',
  idUnidadeMedida: 6,
  estadoFisico: 'LIQUIDO' as const,
};
