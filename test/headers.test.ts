import { describe, expect, it } from 'vitest';
import { systemHeaders, type Answer } from './support/client.ts';
import { useService } from './support/service.ts';

const ORIGIN = 'https://app.university.example';
const closed = useService({ SANDBOX: 'false', DOCS: 'false' });
const listed = useService({ CORS_ORIGINS: `${ORIGIN}, https://other.university.example:8443` });
const open = useService({ CORS_ORIGINS: '*' });
const materials = '/almoxarifadoquimicos/materiais';

describe('every answer', () => {
  it.each([
    ['a list', 'GET', materials],
    ['a refusal', 'DELETE', '/permissoes/sistemas/1'],
    ['what is not there', 'GET', '/nowhere'],
    ['a body that is unreadable', 'POST', '/graphql'],
    ['an export', 'GET', `${materials}?export=true`],
    ['a report as PDF', 'GET', '/relatorios/almoxarifado-quimicos/materiais-controlados?pdf=true'],
    ['health', 'GET', '/healthz'],
    ['the document of the paths', 'GET', '/openapi.json'],
  ])('cannot be framed or sniffed: %s', async (_what, method, path) => {
    const body = method === 'POST' ? '{' : null;
    const admin = await listed().as('admin');
    const { headers } = await admin.raw(path, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.has('x-powered-by')).toBe(false);
  });

  it('that is a PDF can be shown, but not framed', async () => {
    const admin = await listed().as('admin');
    const { status, headers } = await admin.raw('/academico/planos-ensino/gerar-pdf/1', {});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an error', () => {
  it('says its language, and what it depends on', async () => {
    for (const [accepted, language] of [
      ['pt', 'pt-BR'],
      ['en', 'en'],
    ] as const) {
      const refused = await listed()
        .anyone.with({ origin: ORIGIN, 'accept-language': accepted })
        .get(materials);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('content-language')).toBe(language);
      expect(refused.headers.get('vary')).toMatch(/Origin.*Accept-Language/);
      expect(refused.headers.get('www-authenticate')).toBe('token realm="SII"');
    }
  });
});

/** The paths besides those of the specification and /graphql. */
const readOnly = [
  '/',
  '/errors',
  '/docs',
  '/docs/swagger-ui.css',
  '/docs/start.js',
  '/docs/session.js',
  '/docs/openapi.json',
  '/openapi.json',
  '/graphiql',
  '/schema.graphql',
  '/healthz',
  '/readyz',
];

describe('OPTIONS', () => {
  it.each([
    [materials, ['GET', 'POST', 'HEAD', 'OPTIONS']],
    [`${materials}/1`, ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/auth/login', ['POST', 'OPTIONS']],
    ['/graphql', ['GET', 'POST', 'HEAD', 'OPTIONS']],
    ...readOnly.map((path): [string, string[]] => [path, ['GET', 'HEAD', 'OPTIONS']]),
  ])('of %s says which methods it takes, and others get 405 with the same', async (path, methods) => {
    const { status, headers } = await open().anyone.raw(path, { method: 'OPTIONS' });
    expect(status).toBe(204);
    const allow = headers.get('allow')!;
    expect(allow.split(', ').toSorted()).toEqual(methods.toSorted());
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'].filter(
      one => !methods.includes(one),
    )) {
      const refused = await open().anyone.raw(path, { method });
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, allow]);
      expect(JSON.stringify(refused.body)).toContain('METHOD_NOT_ALLOWED');
    }
  });

  it.each(readOnly.filter(path => !/health|ready|^.$|error/.test(path)))(
    'of %s is 404 where it is not offered, like other methods',
    async path => {
      for (const method of ['OPTIONS', 'POST', 'GET'])
        expect((await closed().anyone.raw(path, { method })).status).toBe(404);
    },
  );

  it('of an unknown path is 404', async () => {
    expect((await open().anyone.raw('/nowhere', { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('a body that is refused for its kind', () => {
  const sent = (path: string, headers: Record<string, string>) =>
    open()
      .as('admin')
      .then(admin => admin.with(systemHeaders).raw(path, { method: 'POST', body: 'x=1', headers }));
  const json = 'application/json';

  it.each([
    [materials, 'application/x-www-form-urlencoded'],
    ['/arquivosdigitais/arquivos-digitais', 'multipart/form-data; boundary=x'],
    ['/graphql', 'text/plain'],
  ])('gets the media type that %s takes instead of %s', async (path, type) => {
    const { status, headers, body } = await sent(path, { 'content-type': type });
    expect([status, headers.get('accept')]).toEqual([415, json]);
    expect(JSON.stringify(body)).toContain(json);
  });

  it.each([
    [materials, 'gzip, deflate, br, identity'],
    ['/arquivosdigitais/arquivos-digitais', 'identity'],
    ['/graphql', 'gzip, deflate, br, identity'],
  ])('gets the encodings that %s takes', async (path, accepted) => {
    const { status, headers, body } = await sent(path, { 'content-type': json, 'content-encoding': 'x' });
    expect([status, headers.get('accept-encoding')]).toEqual([415, accepted]);
    expect(JSON.stringify(body)).toContain('Content-Encoding');
  });
});

describe('a web page of another origin', () => {
  const asked = 'token,app_name,api_key,app-name,api-key,appversion,content-type,idempotency-key';
  const namesIn = (headers: Headers, name: string): string[] =>
    (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
  const preflight = (at: typeof listed, origin: string, path = materials): Promise<Answer> =>
    at().anyone.raw(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': asked },
    });

  it.each([materials, '/graphql'])(
    'that is listed may call %s with the headers that it needs',
    async path => {
      const { status, headers } = await preflight(listed, ORIGIN, path);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, HEAD, OPTIONS');
      expect(namesIn(headers, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining(asked.split(',')),
      );
      const answer = await listed().anyone.with({ origin: ORIGIN }).get(path);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );

  it('learns which headers there are, and not that any is accepted', async () => {
    const { headers } = await listed().anyone.raw(materials, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-nobody-reads',
      },
    });
    const accepted = namesIn(headers, 'access-control-allow-headers');
    expect(accepted).not.toContain('x-nobody-reads');
    expect(accepted).toEqual(expect.arrayContaining(['range', 'if-range', 'traceparent', 'x-request-id']));
    const answer = await listed().anyone.with({ origin: ORIGIN }).get(materials);
    expect(namesIn(answer.headers, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining(['etag', 'content-disposition', 'retry-after', 'x-request-id', 'content-range']),
    );
  });

  it('can read from the answer that a path does not exist', async () => {
    expect((await preflight(listed, ORIGIN, '/nowhere')).status).toBe(204);
    const answer = await listed().anyone.with({ origin: ORIGIN }).get('/nowhere');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, ORIGIN]);
  });

  it.each([
    `${ORIGIN}.attacker.example`,
    'https://attacker.example',
    ORIGIN.replace('https', 'http'),
    `${ORIGIN}:8443`,
    'null',
    '*',
  ])('that is not listed may not: %s', async origin => {
    for (const at of [listed, closed])
      for (const answer of [await preflight(at, origin), await at().anyone.with({ origin }).get(materials)])
        expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('may not call if no origin is listed', async () => {
    expect((await preflight(closed, ORIGIN)).headers.has('access-control-allow-origin')).toBe(false);
    const { headers } = await closed().anyone.with({ origin: ORIGIN }).get(materials);
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('vary') ?? '').not.toMatch(/origin/i);
  });

  it('may call from anywhere if that is set, without credentials of the browser', async () => {
    const { headers } = await preflight(open, 'https://any.example');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('may never send credentials such as cookies', async () => {
    for (const at of [listed, open, closed])
      expect((await preflight(at, ORIGIN)).headers.has('access-control-allow-credentials')).toBe(false);
  });
});

describe('what is closed by configuration', () => {
  it.each(['/docs', '/docs/', '/docs/start.js', '/docs/swagger-ui-bundle.js', '/openapi.json', '/graphiql'])(
    'is not there: %s',
    async path => {
      expect((await closed().anyone.get(path)).status).toBe(404);
    },
  );

  it('has neither a page of the Sandbox nor introspection', async () => {
    const page = await closed().anyone.with({ accept: 'text/html' }).get('/graphql');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      406,
      expect.not.stringContaining('html'),
    ]);
    const admin = await closed().as('admin');
    for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Material") { name } }']) {
      const { data, errors } = await admin.graphql(query);
      expect([data, errors![0]!.extensions.code]).toEqual([undefined, 'BAD_REQUEST']);
    }
  });

  it('is not linked anywhere, and the service still answers', async () => {
    const { body } = await closed().anyone.get('/');
    expect(body).not.toMatch(/href="\/(docs|openapi|graph)/);
    expect((await (await closed().as('admin')).get(materials)).status).toBe(200);
    expect((await closed().anyone.get('/errors')).status).toBe(200);
  });
});
