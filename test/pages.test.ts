import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { catalogue } from '../src/errors.ts';
import { starter } from '../src/pages/starter.ts';
import type { Answer } from './support/client.ts';
import { startService, useService } from './support/service.ts';

const service = useService();
const open = (path: string, accept = 'text/html'): Promise<Answer> =>
  service().anyone.with({ accept }).get(path);

/** The policy as directive → sources. */
function policyOf(answer: Answer): Record<string, string[]> {
  const directives = (answer.headers.get('content-security-policy') ?? '')
    .split(';')
    .map(d => d.trim().split(/\s+/));
  return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources]));
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The addresses that the browser would load because of the page's markup, without scripts and styles. */
function references(html: string): string[] {
  const markup = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  return [...markup.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(match => match[1]!);
}

describe('every page', () => {
  it.each(['/', '/errors', '/docs', '/docs/', '/graphiql', '/graphql'])(
    '%s is HTML that nobody may frame',
    async path => {
      const answer = await open(path);
      const policy = policyOf(answer);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(/<meta name="viewport" content="width=device-width/.test(answer.body)).toBe(true);
      expect(policy).toMatchObject({
        'default-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      });
      expect(Object.values(policy).flat()).not.toContain("'unsafe-eval'");
      expect(policy['script-src'] ?? []).not.toContain("'unsafe-inline'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it.each(['/', '/docs', '/graphiql'])('%s loads from this service alone', async path => {
    const answer = await open(path);
    for (const reference of references(answer.body)) expect(reference).toMatch(/^(\/[^/]*|data:)/);
    for (const source of Object.values(policyOf(answer)).flat()) {
      expect(source).toMatch(/^('none'|'self'|'unsafe-inline'|'sha256-.+'|data:|blob:)$/);
    }
  });

  it.each(['/graphiql', '/graphql'])('%s allows its one inline script by hash', async path => {
    const answer = await open(path);
    const script = answer.body.slice(
      answer.body.indexOf('<script>') + 8,
      answer.body.lastIndexOf('</script>'),
    );
    expect(policyOf(answer)['script-src']).toContain(hash(script));
  });
});

it.each([
  ['/', 'Um só serviço', 'One service'],
  ['/errors', 'O código não muda', 'The code never changes'],
  ['/docs', 'Sair e limpar', 'Log out and clear'],
  ['/graphiql', 'Execute Materiais', 'Run Materiais'],
  ['/graphql', 'Carregando o Apollo Sandbox', 'Apollo Sandbox is being loaded'],
])('%s is in the language that the browser prefers', async (path, portuguese, english) => {
  for (const [accepted, tag, own, other] of [
    ['pt-BR,en;q=0.5', 'pt-BR', portuguese, english],
    ['fr,en;q=0.8,pt;q=0.2', 'en', english, portuguese],
  ] as const) {
    const { headers, body } = await service()
      .anyone.with({ accept: 'text/html', 'accept-language': accepted })
      .get(path);
    expect(headers.get('content-language')).toBe(tag);
    expect(headers.get('vary')).toContain('Accept-Language');
    expect(body).toContain(`<html lang="${tag}">`);
    expect(body).toContain(own);
    expect(body).not.toContain(other);
  }
});

describe('the index', () => {
  it('is in Portuguese for a browser that prefers another language', async () => {
    const { headers } = await service()
      .anyone.with({ accept: 'text/html', 'accept-language': 'fr' })
      .get('/');
    expect(headers.get('content-language')).toBe('pt-BR');
  });

  it('links pages that exist', async () => {
    const { body } = await open('/');
    const links = references(body).filter(reference => reference.startsWith('/'));
    expect(links).toEqual(['/graphql', '/graphiql', '/schema.graphql', '/docs', '/openapi.json']);
    for (const link of links) expect((await open(link)).status).toBe(200);
  });
});

describe('with DOCS=false', () => {
  it.each(['', '/sii'])("the pages below '%s' link pages that exist", async base => {
    const without = await startService({ DOCS: 'false', BASE_PATH: base }, service());
    try {
      const page = (path: string): Promise<Answer> => without.anyone.with({ accept: 'text/html' }).get(path);
      for (const path of [`${base}/`, `${base}/graphql`, `${base}/graphiql`, `${base}/errors`]) {
        const { body } = await page(path);
        for (const link of references(body).filter(one => one.startsWith('/')))
          expect([path, link, (await page(link)).status]).toEqual([path, link, 200]);
      }
    } finally {
      await without.stop();
    }
  });
});

describe('/docs', () => {
  it('serves every file that its page names', async () => {
    const { body } = await open('/docs');
    const files = references(body).filter(reference => reference.startsWith('/docs/'));
    expect(files).toHaveLength(4);
    for (const file of files) {
      const answer = await open(file, '*/*');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    }
  });

  it('serves nothing else of the package', async () => {
    for (const file of ['package.json', 'index.html', 'swagger-initializer.js', '..%2fpackage.json']) {
      expect((await open(`/docs/${file}`)).status).toBe(404);
    }
  });
});

describe('/graphiql', () => {
  it('is not sent again to a browser that has it already', async () => {
    const { headers } = await open('/graphiql');
    // With a conditional request, fetch adds a header that forces a full answer.
    const again = await service().anyone.raw('/graphiql', {
      headers: { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' },
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('is sent uncompressed to a client that asks for that', async () => {
    const plain = await service().anyone.raw('/graphiql', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body === (await open('/graphiql')).body).toBe(true);
  });
});

describe('/schema.graphql', () => {
  it('is the schema that is committed', async () => {
    const { status, body } = await open('/schema.graphql');
    expect(status).toBe(200);
    expect(body).toBe(await readFile(join(import.meta.dirname, '../schema.graphql'), 'utf8'));
  });
});

describe('the starter document', () => {
  it.each(['pt', 'en'] as const)('logs in and then lists materials: %s', async language => {
    const { document, headers, variables } = starter(language);
    const input = { username: 'admin', password: demoPassword('admin') };
    const client = service().anyone.with(headers);
    const run = (as: typeof client, operationName: string, given: object) =>
      as.post('/graphql', { query: document, operationName, variables: given });
    const login = await run(client, 'Entrar', { input });
    const list = await run(client.with({ token: login.body.data.entrar.token }), 'Materiais', variables);
    expect(list.body.errors).toBeUndefined();
    expect(list.body.data.materiais.data).toHaveLength(2);
  });
});

describe('with SANDBOX off', () => {
  const closed = useService({ SANDBOX: 'false' });
  const get = (path: string): Promise<Answer> => closed().anyone.with({ accept: 'text/html' }).get(path);

  it('neither GraphiQL nor Sandbox exists', async () => {
    const sandbox = await get('/graphql');
    expect((await get('/graphiql')).status).toBe(404);
    expect(sandbox.status).toBe(406);
    expect(sandbox.headers.get('content-type')).not.toMatch(/html/);
  });

  it('the schema cannot be read', async () => {
    const { errors } = await closed().anyone.graphql('{ __schema { types { name } } }');
    expect(errors).toBeDefined();
    expect((await get('/schema.graphql')).status).toBe(404);
  });

  it.each([
    ['a query', '{ materiai { total } }', 'materiais'],
    ['a field', '{ materiais { totl } }', '"total"'],
    ['an argument', '{ materiais(titul: "x") { total } }', 'titulo'],
    ['a value', '{ materiais(orderByTitulo: as) { total } }', '"asc"'],
    ['a type', '{ materiais { data { ... on Materia { id } } } }', '"Material"'],
    ['the type of a variable', 'query ($v: Dat) { noticias { total } }', '"Date"'],
    [
      'a member',
      'mutation { entrar(input: { username: "a", password: "b", tokem: "c" }) { expiraEm } }',
      '"token"',
    ],
    ['subfields', '{ materiais }', 'Did you'],
    ['a member in a variable', 'mutation ($v: MaterialInput!) { criarMaterial(input: $v) { id } }', 'titulo'],
  ])('%s that is misspelt gets no suggestion', async (_, query, name) => {
    const { errors } = await closed().anyone.graphql(query, { v: { titul: 'x' } });
    expect(errors!.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toMatch(/did you mean/i);
    expect(errors!.map(({ message }) => message).join()).not.toContain(name);
  });

  it('the REST documentation stays', async () => {
    expect((await get('/docs')).status).toBe(200);
    expect(references((await get('/')).body).filter(r => r.startsWith('/'))).toEqual([
      '/docs',
      '/openapi.json',
    ]);
  });
});

describe('the page of errors', () => {
  it('has an anchor for the type of every problem', async () => {
    const { body } = await service().anyone.get('/almoxarifadoquimicos/materiais');
    const { pathname, hash: anchor } = new URL(body.type, service().url);
    const html = (await open(pathname)).body as string;
    expect(anchor).toBe('#UNAUTHENTICATED');
    for (const code of Object.keys(catalogue)) expect(html).toContain(`id="${code}"`);
  });
});
