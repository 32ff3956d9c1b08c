import { Router } from 'express';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';

/** `GET /schema.graphql`: the schema as text, for client generators. */
export function schemaText(schema: GraphQLSchema): Router {
  let text: string | undefined;
  return Router().get('/schema.graphql', (_req, res) => {
    res.type('text/plain').send((text ??= `${printSchema(lexicographicSortSchema(schema))}\n`));
  });
}
