import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import { inline, pageHeaders } from './headers.ts';
import { SERVICE } from './layout.ts';
import { starter } from './starter.ts';

interface Page {
  headers: RequestHandler;
  etag: string;
  plain: Buffer;
  gzipped: Buffer;
}

/** The page is nine megabytes, scripts and all: it is loaded when first asked for, and sent compressed. */
async function build(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const headers = JSON.stringify(starter.headers, null, 2);
  const html = renderGraphiQL({
    title: `${SERVICE} · GraphQL`,
    endpoint: '/graphql',
    headers,
    defaultTabs: [
      { query: starter.document, variables: JSON.stringify(starter.variables, null, 2), headers },
    ],
  });
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const plain = Buffer.from(html);
  return {
    headers: pageHeaders({
      'script-src': [inline(script)],
      // Its code editor makes style elements while it runs.
      'style-src': ["'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ['data:'],
      'connect-src': ["'self'"],
      'worker-src': ['blob:'],
    }),
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
    plain,
    gzipped: await promisify(gzip)(plain),
  };
}

/** `GET /graphiql`: an editor for `/graphql` in one page that loads nothing else. */
export function graphiql(): Router {
  const router = Router();
  let page: Promise<Page> | undefined;
  router.get('/graphiql', async (req, res, next) => {
    (await (page ??= build())).headers(req, res, next);
  });
  router.get('/graphiql', async (req, res) => {
    const { etag, plain, gzipped } = await (page ??= build());
    const compressed = Boolean(req.acceptsEncodings('gzip'));
    if (compressed) res.set('Content-Encoding', 'gzip');
    res.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding').type('html');
    res.send(compressed ? gzipped : plain);
  });
  return router;
}
