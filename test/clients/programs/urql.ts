import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { scenario, type Send } from './graphql-scenario.ts';
import type { Outcome, Service } from './outcome.ts';

export async function run(service: Service): Promise<Outcome> {
  const client = new Client({ url: `${service.url}/graphql`, exchanges: [cacheExchange, fetchExchange] });
  const send: Send = async (document, variables, headers) => {
    const isMutation = /"operation":"mutation"/.test(JSON.stringify(document));
    const options = { fetchOptions: { headers } };
    const { data, error } = isMutation
      ? await client.mutation(document, variables, options)
      : await client.query(document, variables, options);
    if (data === undefined || error)
      throw new Error(String(error?.graphQLErrors[0]?.extensions['code']), { cause: error });
    return data;
  };
  return scenario(send, service);
}
