import type { RequestHandler } from 'express';
import { languageOf, languageTags, type Language, type Text } from '../messages.ts';

/** Style of the service's own pages. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2733; --soft: #56646f; --line: #d5dce2; --paper: #fff; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf1; --soft: #a3b0ba; --line: #36424c; --paper: #161c21; --link: #7db8f0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 12vh 1.5rem 4rem; }
h1 { margin: 0 0 .5rem; font-size: 1.45rem; line-height: 1.25; }
p { margin: 0 0 1.5rem; color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li { padding: .9rem 0; border-bottom: 1px solid var(--line); color: var(--soft); }
a { display: block; color: var(--link); font-weight: 600; }
#sandbox iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; }
`;

/** An image as a `data:` URI without double quotes. */
export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%230b5cad'/><path d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.5'/></svg>";

export const SERVICE = 'Serviço de Informações Institucionais';

interface Page {
  language: Language;
  title: string;
  head: string;
  body: string;
}

/** Makes a page in each language. */
export const inBoth = <T>(make: (language: Language) => T): Record<Language, T> => ({
  pt: make('pt'),
  en: make('en'),
});

/** Sends a page in the language that the browser prefers. */
export const sending =
  (pages: Record<Language, string>): RequestHandler =>
  (req, res) => {
    const language = languageOf(req.headers['accept-language']);
    res
      .vary('Accept-Language')
      .set('Content-Language', languageTags[language])
      .type('html')
      .send(pages[language]);
  };

/** Without it a phone would show a page as wide as a desk. */
export const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** A complete HTML document. Its icon needs `img-src data:`. */
export function layout(page: Page): string {
  return `<!doctype html>
<html lang="${languageTags[page.language]}">
<head>
<meta charset="utf-8">
${VIEWPORT}
<title>${page.title}</title>
<link rel="icon" href="${ICON}">
${page.head}
</head>
<body>
${page.body}
</body>
</html>
`;
}

const destinations = {
  '/graphql': {
    name: { pt: 'GraphQL · Apollo Sandbox', en: 'GraphQL · Apollo Sandbox' },
    purpose: {
      pt: 'O esquema todo e um editor de consultas. Precisa de acesso à internet.',
      en: 'The whole schema and an editor for queries. It needs the internet.',
    },
  },
  '/graphiql': {
    name: { pt: 'GraphQL · GraphiQL', en: 'GraphQL · GraphiQL' },
    purpose: {
      pt: 'Editor de consultas servido daqui mesmo, sem internet.',
      en: 'An editor for queries that this service sends itself, without the internet.',
    },
  },
  '/schema.graphql': {
    name: { pt: 'GraphQL · esquema', en: 'GraphQL · schema' },
    purpose: {
      pt: 'O esquema todo em texto, para gerar clientes.',
      en: 'The whole schema as text, to generate clients.',
    },
  },
  '/docs': {
    name: { pt: 'REST · Swagger UI', en: 'REST · Swagger UI' },
    purpose: {
      pt: 'Os caminhos REST com seus parâmetros e respostas, para ler e experimentar.',
      en: 'The REST paths with their parameters and answers, to read and to try.',
    },
  },
  '/openapi.json': {
    name: { pt: 'REST · OpenAPI', en: 'REST · OpenAPI' },
    purpose: {
      pt: 'O mesmo documento em JSON, para gerar clientes.',
      en: 'The same document as JSON, to generate clients.',
    },
  },
} as const satisfies Record<string, Record<string, Text>>;

/** A list of links to pages of this service, which is served below `basePath`, each with its purpose. */
export function links(paths: (keyof typeof destinations)[], language: Language, basePath: string): string {
  const items = paths.map(path => {
    const { name, purpose } = destinations[path];
    return `<li><a href="${basePath}${path}">${name[language]}</a>${purpose[language]}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}
