import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/database/seeds/demo-people.ts';
import { starter } from '../src/pages/starter.ts';
import type { Answer } from './support/client.ts';
import { useService } from './support/service.ts';

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

/** What the browser would load by the page's markup, scripts and styles aside. */
function references(html: string): string[] {
  const markup = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  return [...markup.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(match => match[1]!);
}

describe('every page', () => {
  it.each(['/', '/docs', '/docs/', '/graphiql', '/graphql'])(
    '%s is HTML that nobody may frame',
    async path => {
      const answer = await open(path);
      const policy = policyOf(answer);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
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

describe('the index', () => {
  it('links pages that exist', async () => {
    const { body } = await open('/');
    const links = references(body).filter(reference => reference.startsWith('/'));
    expect(links).toEqual(['/graphql', '/graphiql', '/docs', '/openapi.json']);
    for (const link of links) expect((await open(link)).status).toBe(200);
  });
});

describe('/docs', () => {
  it('serves every file that its page names', async () => {
    const { body } = await open('/docs');
    const files = references(body).filter(reference => reference.startsWith('/'));
    expect(files).toHaveLength(3);
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
  it('is not sent again to a browser that has it', async () => {
    const { headers } = await open('/graphiql');
    // What fetch adds by itself to a conditional request asks for the page again.
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

describe('the starter document', () => {
  it('logs in and then lists materials', async () => {
    const input = { username: 'admin', password: demoPassword('admin') };
    const client = service().anyone.with(starter.headers);
    const run = (as: typeof client, operationName: string, variables: object) =>
      as.post('/graphql', { query: starter.document, operationName, variables });
    const login = await run(client, 'Entrar', { input });
    const list = await run(
      client.with({ token: login.body.data.entrar.token }),
      'Materiais',
      starter.variables,
    );
    expect(list.body.errors).toBeUndefined();
    expect(list.body.data.materiais.data).toHaveLength(5);
  });
});

describe('with SANDBOX off', () => {
  const closed = useService({ SANDBOX: 'false' });
  const get = (path: string): Promise<Answer> => closed().anyone.with({ accept: 'text/html' }).get(path);

  it('there is neither GraphiQL nor Sandbox', async () => {
    const sandbox = await get('/graphql');
    expect((await get('/graphiql')).status).toBe(404);
    expect(sandbox.status).toBe(400);
    expect(sandbox.headers.get('content-type')).not.toMatch(/html/);
  });

  it('the schema cannot be read', async () => {
    const { errors } = await closed().anyone.graphql('{ __schema { types { name } } }');
    expect(errors).toBeDefined();
  });

  it('the REST documentation stays', async () => {
    expect((await get('/docs')).status).toBe(200);
    expect(references((await get('/')).body).filter(r => r.startsWith('/'))).toEqual([
      '/docs',
      '/openapi.json',
    ]);
  });
});

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (!executable) console.warn('No Chromium is installed: the tests of the pages in a browser are skipped.');

describe.skipIf(!executable)('in a browser without internet', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    const quiet = [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ];
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet];
    browser = await chromium.launch({ executablePath: executable!, args });
  });
  afterAll(() => browser.close());

  /** A page in a browser profile of its own, with what it complained of and what it asked of other hosts, in vain. */
  async function visit(path: string): Promise<{ page: Page; complaints: string[]; foreign: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
    await page.route(
      url => url.origin !== service().url && url.protocol.startsWith('http'),
      route => {
        foreign.push(route.request().url());
        return route.abort('internetdisconnected');
      },
    );
    await page.goto(service().url + path);
    return { page, complaints, foreign };
  }

  const tokenOf = async (usuario: string): Promise<string> => (await service().as(usuario)).headers['token']!;

  it('/docs lists materials with the token that was given to Authorize', async () => {
    const { page, complaints, foreign } = await visit('/docs');
    await page.locator('button.authorize').first().click();
    const scheme = page
      .locator('.auth-container')
      .filter({ has: page.locator('code', { hasText: /^token$/ }) });
    await scheme.locator('input').fill(await tokenOf('admin'));
    await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.btn-done').first().click();

    await page.locator('.opblock-tag', { hasText: 'Almoxarifado de químicos' }).click();
    const operation = page.locator('.opblock-get:has([data-path="/almoxarifadoquimicos/materiais"])');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('tr[data-param-name="titulo"] input').fill('acido');
    await operation.locator('button.execute').click();

    const response = operation.locator('.live-responses-table');
    await response.locator('.highlight-code', { hasText: 'Ácido acético glacial' }).waitFor();
    expect(await response.locator('tbody .response-col_status').first().textContent()).toContain('200');
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await page.context().close();
  });

  it('/graphiql lists materials with the token that was written into the headers', async () => {
    const { page, complaints, foreign } = await visit('/graphiql');
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
    // Into the empty quotes of `"token": "",`, the second line.
    for (const key of ['Control+Home', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft'])
      await page.keyboard.press(key);
    await page.keyboard.insertText(await tokenOf('admin'));
    await page.locator('.graphiql-execute-button').click();
    await page.getByRole('menuitem', { name: 'Materiais' }).click();

    await page.locator('.graphiql-response', { hasText: 'acético' }).waitFor();
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await page.context().close();
  });

  it('/graphql says that the Sandbox cannot be loaded and leads to pages that can', async () => {
    const { page, foreign } = await visit('/graphql');
    await page.getByRole('heading', { name: 'O Apollo Sandbox não pôde ser carregado' }).waitFor();
    expect(foreign).toEqual([expect.stringContaining('embeddable-sandbox.umd.production.min.js')]);
    await page.getByRole('link', { name: 'Swagger UI' }).click();
    await page.locator('.opblock-tag').first().waitFor();
    await page.context().close();
  });

  it('/graphql hands the starter document to the Sandbox when Apollo can be reached', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const stand = `window.EmbeddedSandbox = class { constructor(options) {
      const frame = document.createElement('iframe');
      frame.src = 'https://sandbox.embed.apollographql.com/sandbox/explorer';
      document.querySelector(options.target).append(frame);
      window.handed = options;
    } };`;
    await page.route('https://embeddable-sandbox.cdn.apollographql.com/**', route =>
      route.fulfill({ body: stand, contentType: 'text/javascript' }),
    );
    await page.route('https://sandbox.embed.apollographql.com/**', route =>
      route.fulfill({ body: '<h1>Sandbox</h1>', contentType: 'text/html' }),
    );
    await page.goto(`${service().url}/graphql`);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Sandbox' }).waitFor();
    expect(await page.locator('main').count()).toBe(0);
    expect(await page.evaluate('window.handed')).toMatchObject({
      initialEndpoint: `${service().url}/graphql`,
      initialState: starter,
    });
    await context.close();
  });
});
