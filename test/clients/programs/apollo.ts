import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import * as documents from './generated/graphql/graphql.ts';
import { renamed, scenario, type Send } from './graphql-scenario.ts';
import { keeper, need, type Outcome, type Service } from './outcome.ts';

const connect = ({ url }: Service): ApolloClient =>
  new ApolloClient({ link: new HttpLink({ uri: `${url}/graphql` }), cache: new InMemoryCache() });

export async function run(service: Service): Promise<Outcome> {
  const client = connect(service);
  const send: Send = async (document, variables, headers) => {
    const isMutation = /"operation":"mutation"/.test(JSON.stringify(document));
    try {
      const { data } = isMutation
        ? await client.mutate({ mutation: document, variables, context: { headers } } as never)
        : await client.query({ query: document, variables, context: { headers } } as never);
      return data as never;
    } catch (error) {
      const [first] = CombinedGraphQLErrors.is(error) ? error.errors : [];
      throw new Error(String(first?.extensions?.['code']), { cause: error });
    }
  };
  return scenario(send, service);
}

/** The content of the normalised cache after reads and after a mutation. */
export async function readCache(service: Service) {
  const client = connect(service);
  const login = await client.mutate({
    mutation: documents.LogInDocument,
    variables: { input: keeper },
    context: { headers: service.system },
  });
  const context = { headers: { token: need(login.data?.entrar, 'session').token } };
  const variables = { title: 'acido' };
  const fresh = await client.query({ query: documents.FindMaterialsDocument, variables, context });
  const stock = await client.query({ query: documents.StockOfBatchesDocument, context });
  const [first] = need(fresh.data?.materiais, 'page').data;
  const { id } = need(first, 'material');
  const titleIn = (): string | undefined =>
    client.cache
      .readQuery({ query: documents.FindMaterialsDocument, variables })
      ?.materiais?.data.find(one => one.id === id)?.titulo;
  const before = titleIn();
  await client.mutate({
    mutation: documents.RenameMaterialDocument,
    variables: { id, input: renamed },
    context,
  });
  return {
    fresh: fresh.data,
    stock: {
      answered: stock.data,
      cached: client.cache.readQuery({ query: documents.StockOfBatchesDocument }),
    },
    titles: { answered: first?.titulo, before, after: titleIn(), written: renamed.titulo },
  };
}
