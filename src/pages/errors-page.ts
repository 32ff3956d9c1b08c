import { Router } from 'express';
import { catalogue } from '../errors.ts';
import { inline, pageHeaders } from './headers.ts';
import { layout, SERVICE, style } from './layout.ts';

/** `GET /errors`: all error codes. The `type` of a problem links here. */
export function errorsPage(): Router {
  const items = Object.entries(catalogue).map(
    ([code, { status, title }]) =>
      `<li id="${code}"><a href="#${code}">${code} · ${status}</a><span lang="pt-BR">${title.pt}</span> · <span lang="en">${title.en}</span></li>`,
  );
  const html = layout({
    title: `${SERVICE} · Erros`,
    head: `<style>${style}</style>`,
    body: `<main>
<h1>Erros</h1>
<p>O código não muda, nas duas faces: em REST é <code>code</code>, em GraphQL <code>extensions.code</code>.</p>
<ul>
${items.join('\n')}
</ul>
</main>`,
  });
  const headers = pageHeaders({ 'style-src': [inline(style)], 'img-src': ['data:'] });
  return Router().get('/errors', headers, (_req, res) => {
    res.type('html').send(html);
  });
}
