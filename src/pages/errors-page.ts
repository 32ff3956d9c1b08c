import { Router } from 'express';
import { catalogue } from '../errors.ts';
import { onlyGet } from '../rest/methods.ts';
import { inline, pageHeaders } from './headers.ts';
import { inBoth, layout, sending, SERVICE, style } from './layout.ts';

const texts = {
  pt: {
    title: 'Erros',
    purpose:
      'O código não muda, nas duas faces: em REST é <code>code</code>, em GraphQL <code>extensions.code</code>.',
  },
  en: {
    title: 'Errors',
    purpose:
      'The code never changes: in REST it is <code>code</code>, in GraphQL <code>extensions.code</code>.',
  },
};

/** `GET /errors`: all error codes. The `type` of a problem links here. */
export function errorsPage(): Router {
  const items = Object.entries(catalogue).map(
    ([code, { status, title }]) =>
      `<li id="${code}"><a href="#${code}">${code} · ${status}</a><span lang="pt-BR">${title.pt}</span> · <span lang="en">${title.en}</span></li>`,
  );
  const html = inBoth(language =>
    layout({
      language,
      title: `${SERVICE} · ${texts[language].title}`,
      head: `<style>${style}</style>`,
      body: `<main>
<h1>${texts[language].title}</h1>
<p>${texts[language].purpose}</p>
<ul>
${items.join('\n')}
</ul>
</main>`,
    }),
  );
  const headers = pageHeaders({ 'style-src': [inline(style)], 'img-src': ['data:'] });
  return Router().all('/errors', onlyGet, headers, sending(html));
}
