import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import { onlyGet } from '../rest/methods.ts';
import { inline, pageHeaders } from './headers.ts';
import { inBoth, layout, sending, SERVICE } from './layout.ts';
import { bar, barStyle } from './session.ts';
import { barScript } from './session-script.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const optionsOf = (basePath: string) => ({
  url: `${basePath}/docs/openapi.json`,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The browser's next user must not find the token.
  persistAuthorization: false,
  validatorUrl: null,
});

const style = `body { margin: 0; }
@media (max-width: 40rem) {
  /* The responses have no links, and a narrow screen has no room for their empty column. */
  .swagger-ui .responses-table .response-col_links { display: none; }
  /* The description of an area goes below its name, which may leave no room beside it. */
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1 1 0; }
  .swagger-ui .opblock-tag > small { order: 1; flex: 1 0 100%; padding: 0.25rem 0 0; }
}
${barStyle}`;

const htmlOf = (basePath: string) =>
  inBoth(language =>
    layout({
      language,
      title: `${SERVICE} · REST`,
      head: `<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">\n<style>${style}</style>`,
      body: `${bar(language, basePath)}
<div id="swagger-ui"></div>
<script src="${basePath}/docs/session.js"></script>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>`,
    }),
  );

/** `GET /docs`: Swagger UI for `/openapi.json`, with all files served by this service. */
export function swagger(basePath: string): Router {
  const router = Router();
  const start = `SwaggerUIBundle(${JSON.stringify(optionsOf(basePath))});\n`;
  router.use(
    '/docs',
    pageHeaders({
      'script-src': ["'self'"],
      'style-src': ["'self'", inline(style)],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
    }),
  );
  router.all('/docs', onlyGet, sending(htmlOf(basePath)));
  router.all('/docs/session.js', onlyGet, (_req, res) => {
    res.type('js').send(barScript(basePath));
  });
  router.all('/docs/start.js', onlyGet, (_req, res) => {
    res.type('js').send(start);
  });
  const files = Router();
  for (const file of FILES)
    files.all(`/${file}`, onlyGet, express.static(FOLDER, { index: false, redirect: false }));
  return router.use('/docs', files);
}
