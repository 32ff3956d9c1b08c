import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import { languageOf, languageTags, type Language } from '../messages.ts';
import { onlyGet } from '../rest/methods.ts';
import { inline, pageHeaders } from './headers.ts';
import { ICON, SERVICE, VIEWPORT } from './layout.ts';
import { bar, barStyle } from './session.ts';
import { barScript } from './session-script.ts';
import { tabs } from './starter.ts';

const style = `
body { display: flex; flex-direction: column; height: 100vh; }
#root { flex: 1; min-height: 0; height: auto; }
.graphiql-container { height: 100%; }
.graphiql-container .graphiql-logo { display: none; }
@media (max-width: 40rem) {
  #graphiql-session { flex-direction: column; }
  #graphiql-session > * { min-height: 0; }
  #graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
}
${barStyle}`;

/** The content of the editors is deleted with the page, so that the browser's next user cannot see it. */
const forgetful = `
const kept = new Map();
Object.defineProperty(window, 'localStorage', { value: {
  getItem: key => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: key => void kept.delete(key),
} });
// With it GraphiQL would write the document into the address, and so into the history.
history.replaceState = () => {};
`;

/** Tab inserts a tab in the editors, so keyboard users could not leave them. Escape leaves them. */
const escapable = `
addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !event.target.closest('.monaco-editor')) return;
  // If a list of suggestions or a search is open, Escape closes it instead.
  if (document.querySelector(['suggest', 'find', 'parameter-hints'].map(name => '.' + name + '-widget.visible').join())) return;
  event.target.closest('.graphiql-editor, .result-window').focus();
}, true);
`;

const withoutScripts = { pt: 'Este editor precisa de JavaScript.', en: 'This editor needs JavaScript.' };

async function render(language: Language, basePath: string): Promise<string> {
  const given = tabs(language);
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: `${SERVICE} · GraphQL`,
    favicon: ICON,
    endpoint: `${basePath}/graphql`,
    defaultTabs: given,
    // The first tab and new tabs take their headers from here.
    headers: given[0]!.headers,
    shouldPersistHeaders: false,
  });
  return html
    .replace('<meta charset="utf-8" />', text => `${text}\n${VIEWPORT}`)
    .replace('<html lang="en">', () => `<html lang="${languageTags[language]}">`)
    .replace(/(<noscript>).*?(<\/noscript>)/s, `$1${withoutScripts[language]}$2`)
    .replace('</style>', () => `${style}</style>`)
    .replace('<div id="root">', () => `${bar(language, basePath)}\n<div id="root" role="main" lang="en">`)
    .replace('<script>', () => `<script>${barScript(basePath)}${forgetful}${escapable}`);
}

function headersFor(html: string) {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  return pageHeaders({
    'script-src': [inline(script)],
    // The code editor creates style elements at run time.
    'style-src': ["'unsafe-inline'"],
    'img-src': ['data:'],
    'font-src': ['data:'],
    'connect-src': ["'self'"],
    'worker-src': ['blob:'],
  });
}

async function build(language: Language, basePath: string): Promise<Router> {
  const html = await render(language, basePath);
  const plain = Buffer.from(html);
  const gzipped = await promisify(gzip)(plain);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return Router().get('/graphiql', headersFor(html), (req, res) => {
    const compress = Boolean(req.acceptsEncodings('gzip'));
    if (compress) res.set('Content-Encoding', 'gzip');
    res.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Language': languageTags[language] });
    res.vary('Accept-Encoding').vary('Accept-Language').type('html');
    res.send(compress ? gzipped : plain);
  });
}

/**
 * `GET /graphiql`: an editor for `/graphql` in one self-contained page. The page has nine megabytes, so it is built at
 * the first request and sent compressed.
 */
export function graphiql(basePath: string): Router {
  const pages: Partial<Record<Language, Promise<Router>>> = {};
  return Router().all('/graphiql', onlyGet, async (req, res, next) => {
    const language = languageOf(req.headers['accept-language']);
    const serve = await (pages[language] ??= build(language, basePath));
    serve(req, res, next);
  });
}
