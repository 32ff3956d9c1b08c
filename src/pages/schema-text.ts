import { Router } from 'express';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { onlyGet } from '../rest/methods.ts';

/** `GET /schema.graphql`: the schema as text, for client generators. */
export function schemaText(schema: GraphQLSchema): Router {
  let text: string | undefined;
  return Router().all('/schema.graphql', onlyGet, (_req, res) => {
    res.type('text/plain').send((text ??= `${printSchema(lexicographicSortSchema(schema))}\n`));
  });
}
