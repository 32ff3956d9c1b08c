import { Router, type RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { inline, pageHeaders } from './headers.ts';
import { inBoth, layout, links, sending, SERVICE, style } from './layout.ts';
import { bar, barStyle } from './session.ts';
import { barScript } from './session-script.ts';
import { starter } from './starter.ts';

const CDN = 'https://embeddable-sandbox.cdn.apollographql.com';
const FRAME = 'https://sandbox.embed.apollographql.com';

const options = {
  target: '#sandbox',
  endpointIsEditable: false,
  runTelemetry: false,
  allowDynamicStyles: false,
};

const texts = {
  pt: {
    loading: 'Carregando o Apollo Sandbox…',
    failed: 'O Apollo Sandbox não pôde ser carregado',
    where: `Ele vem da internet, dos servidores da Apollo. Se esta rede não os alcança, use as páginas que este serviço
mesmo oferece. O endereço <code>/graphql</code> continua a atender consultas.`,
  },
  en: {
    loading: 'Apollo Sandbox is being loaded…',
    failed: 'Apollo Sandbox could not be loaded',
    where: `It comes from the internet, from Apollo's servers. If this network does not reach them, use the pages that this
service sends itself. The address <code>/graphql</code> still answers queries.`,
  },
};

/**
 * This script adds Apollo's script, so that a load failure is noticed. In browsers with credentialless frames,
 * everything that its frame stores (such as headers) is deleted with the page. In others Apollo keeps it.
 */
const startOf = (basePath: string): string => `${barScript(basePath)}
const create = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = create(name, options);
  if (element instanceof HTMLIFrameElement) element.credentialless = true;
  return element;
};
const fallback = document.querySelector('main');
const script = document.createElement('script');
script.src = '${CDN}/v2/embeddable-sandbox.umd.production.min.js';
script.onload = () => {
  const initialState = JSON.parse(fallback.dataset.starter);
  new EmbeddedSandbox({ ...${JSON.stringify(options)}, initialState, initialEndpoint: location.origin + location.pathname });
  fallback.remove();
};
script.onerror = () => {
  fallback.querySelector('h1').textContent = fallback.dataset.failed;
};
document.head.append(script);
`;

const styles = `${style}${barStyle}#sandbox iframe { inset: 2.75rem 0 0; height: calc(100% - 2.75rem); }\n`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const htmlOf = ({ BASE_PATH: basePath, DOCS }: Config) =>
  inBoth(language => {
    const { loading, failed, where } = texts[language];
    const state = JSON.stringify({ ...starter(language), includeCookies: false });
    return layout({
      language,
      title: `${SERVICE} · GraphQL`,
      head: `<style>${styles}</style>`,
      body: `${bar(language, basePath)}
<div id="sandbox"></div>
<main data-failed="${failed}" data-starter="${attribute(state)}">
<h1>${loading}</h1>
<p>${where}</p>
${links(['/graphiql', ...(DOCS ? (['/docs'] as const) : [])], language, basePath)}
</main>
<script>${startOf(basePath)}</script>`,
    });
  });

const headersOf = (basePath: string) =>
  pageHeaders({
    'script-src': [inline(startOf(basePath)), CDN],
    'style-src': [inline(styles)],
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    'frame-src': [FRAME],
  });

/** Content types of `GET /graphql`, the default first. */
const TYPES = ['application/json', 'application/graphql-response+json', 'text/html'];

const toBrowsers: RequestHandler = (req, res, next) => {
  res.vary('Accept');
  next(req.accepts(TYPES) === 'text/html' ? undefined : 'router');
};

/** `GET /graphql` in a browser: the Apollo Sandbox page. */
export const sandbox = (config: Config): Router =>
  Router().get('/graphql', toBrowsers, headersOf(config.BASE_PATH), sending(htmlOf(config)));
