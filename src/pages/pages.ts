import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config.ts';
import { errorsPage } from './errors-page.ts';
import { graphiql } from './graphiql.ts';
import { indexPage } from './index-page.ts';
import { schemaText } from './schema-text.ts';
import { swagger } from './swagger.ts';

/** The HTML pages: index, errors, REST documentation and GraphiQL, unless `DOCS` or `SANDBOX` is off. */
export function pages(config: Config, schema: GraphQLSchema): Router {
  const router = Router();
  router.use(indexPage(config), errorsPage());
  const { BASE_PATH } = config;
  if (config.DOCS) router.use(swagger(BASE_PATH));
  if (config.SANDBOX) router.use(graphiql(BASE_PATH), schemaText(schema));
  return router;
}
