import { Router } from 'express';
import { inline, pageHeaders } from './headers.ts';
import { layout, links, SERVICE, style } from './layout.ts';
import { bar, barStyle } from './session.ts';
import { barScript } from './session-script.ts';
import { starter } from './starter.ts';

const CDN = 'https://embeddable-sandbox.cdn.apollographql.com';
const FRAME = 'https://sandbox.embed.apollographql.com';

const options = {
  target: '#sandbox',
  initialState: { ...starter, includeCookies: false },
  endpointIsEditable: false,
  runTelemetry: false,
  allowDynamicStyles: false,
};

/**
 * Apollo's script is added by this script, so that a load failure is noticed. In browsers with credentialless frames,
 * what its frame stores (such as headers) ends with the page; in others Apollo keeps it.
 */
const start = `${barScript}
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
  new EmbeddedSandbox({ ...${JSON.stringify(options)}, initialEndpoint: location.origin + location.pathname });
  fallback.remove();
};
script.onerror = () => {
  fallback.querySelector('h1').textContent = 'O Apollo Sandbox não pôde ser carregado';
};
document.head.append(script);
`;

const styles = `${style}${barStyle}#sandbox iframe { inset: 2.75rem 0 0; height: calc(100% - 2.75rem); }\n`;

const html = layout({
  // Apollo sends this page, whatever the browser prefers.
  language: 'pt',
  title: `${SERVICE} · GraphQL`,
  head: `<style>${styles}</style>`,
  body: `${bar('pt')}
<div id="sandbox"></div>
<main>
<h1>Carregando o Apollo Sandbox…</h1>
<p>Ele vem da internet, dos servidores da Apollo. Se esta rede não os alcança, use as páginas que este serviço
mesmo oferece. O endereço <code>/graphql</code> continua a atender consultas.</p>
${links(['/graphiql', '/docs'], 'pt')}
</main>
<script>${start}</script>`,
});

/** HTML of the Apollo Sandbox page, which `GET /graphql` shows to a browser. */
export function sandboxPage(): string {
  return html;
}

/** Security headers of `GET /graphql`. Apollo Server sends the page itself. */
export function sandboxHeaders(): Router {
  const headers = pageHeaders({
    'script-src': [inline(start), CDN],
    'style-src': [inline(styles)],
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    'frame-src': [FRAME],
  });
  return Router().get('/graphql', headers);
}
