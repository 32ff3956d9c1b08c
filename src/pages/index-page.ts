import { Router } from 'express';
import { inline, pageHeaders } from './headers.ts';
import { layout, links, SERVICE, style } from './layout.ts';

/** `GET /`: which pages there are. */
export function indexPage(sandbox: boolean): Router {
  const html = layout({
    title: SERVICE,
    head: `<style>${style}</style>`,
    body: `<main>
<h1>${SERVICE}</h1>
<p>Um só serviço: GraphQL para clientes novos e os caminhos REST para os que já existem.</p>
${links([...(sandbox ? (['/graphql', '/graphiql', '/schema.graphql'] as const) : []), '/docs', '/openapi.json'])}
</main>`,
  });
  const headers = pageHeaders({ 'style-src': [inline(style)], 'img-src': ['data:'] });
  return Router().get('/', headers, (_req, res) => void res.type('html').send(html));
}
