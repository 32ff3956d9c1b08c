import { diff } from '@graphql-inspector/core';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  printSchema,
  type IntrospectionQuery,
} from 'graphql';

/** The differences between a schema as text and the one that a service describes. */
export async function differences(text: string, url: string): Promise<string[]> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, oneOf: true }),
    }),
  });
  const { data } = (await answer.json()) as { data: IntrospectionQuery };
  // The inspector sees `@oneOf` in texts only.
  const described = buildSchema(printSchema(buildClientSchema(data)));
  return (await diff(buildSchema(text), described)).map(({ message }) => message);
}
