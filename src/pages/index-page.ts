import { Router } from 'express';
import type { Config } from '../config.ts';
import { inline, pageHeaders } from './headers.ts';
import { layout, links, SERVICE, style } from './layout.ts';

/** `GET /`: links to the other pages. */
export function indexPage({ SANDBOX, DOCS }: Config): Router {
  const editors = ['/graphql', '/graphiql', '/schema.graphql'] as const;
  const documentation = ['/docs', '/openapi.json'] as const;
  const html = layout({
    title: SERVICE,
    head: `<style>${style}</style>`,
    body: `<main>
<h1>${SERVICE}</h1>
<p>Um só serviço: GraphQL para clientes novos e os caminhos REST para os que já existem.</p>
${links([...(SANDBOX ? editors : []), ...(DOCS ? documentation : [])])}
</main>`,
  });
  const headers = pageHeaders({ 'style-src': [inline(style)], 'img-src': ['data:'] });
  return Router().get('/', headers, (_req, res) => {
    res.type('html').send(html);
  });
}
