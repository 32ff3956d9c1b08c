import { Router } from 'express';
import type { Config } from '../config.ts';
import { onlyGet } from '../rest/methods.ts';
import { inline, pageHeaders } from './headers.ts';
import { inBoth, layout, links, sending, SERVICE, style } from './layout.ts';

const purpose = {
  pt: 'Um só serviço: GraphQL para clientes novos e os caminhos REST para os que já existem.',
  en: 'One service: GraphQL for new clients, and the REST paths for those that exist.',
};

/** `GET /`: links to the other pages. */
export function indexPage({ BASE_PATH, SANDBOX, DOCS }: Config): Router {
  const editors = ['/graphql', '/graphiql', '/schema.graphql'] as const;
  const documentation = ['/docs', '/openapi.json'] as const;
  const html = inBoth(language =>
    layout({
      language,
      title: SERVICE,
      head: `<style>${style}</style>`,
      body: `<main>
<h1>${SERVICE}</h1>
<p>${purpose[language]}</p>
${links([...(SANDBOX ? editors : []), ...(DOCS ? documentation : [])], language, BASE_PATH)}
</main>`,
    }),
  );
  const headers = pageHeaders({ 'style-src': [inline(style)], 'img-src': ['data:'] });
  return Router().all('/', onlyGet, headers, sending(html));
}
