import { Router } from 'express';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';

/** `GET /schema.graphql`: the schema as text, for client generators. */
export function schemaText(schema: GraphQLSchema): Router {
  const text = `${printSchema(lexicographicSortSchema(schema))}\n`;
  return Router().get('/schema.graphql', (_req, res) => {
    res.type('text/plain').send(text);
  });
}
