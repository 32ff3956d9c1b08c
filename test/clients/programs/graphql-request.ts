import { ClientError, GraphQLClient } from 'graphql-request';
import { scenario, type Send } from './graphql-scenario.ts';
import type { Outcome, Service } from './outcome.ts';

export async function run(service: Service): Promise<Outcome> {
  const client = new GraphQLClient(`${service.url}/graphql`);
  const send: Send = async (document, variables, headers) => {
    try {
      return await client.request({ document, variables, requestHeaders: headers } as never);
    } catch (error) {
      throw new Error(String((error as ClientError).response.errors?.[0]?.extensions['code']), {
        cause: error,
      });
    }
  };
  return scenario(send, service);
}
