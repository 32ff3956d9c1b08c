import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { starter } from '../src/pages/starter.ts';
import { needs } from './support/needs.ts';
import { eventually, PATIENCE_MS } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

describe.skipIf(!needs('Chromium', executable !== undefined))(
  'the pages in a browser without internet',
  () => {
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

    /** A page in a new browser profile, with its errors and its failed requests to other hosts. */
    async function visit(
      path: string,
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; complaints: string[]; foreign: string[] }> {
      const viewport = { width: 1280, height: 900 };
      const context = await browser.newContext({
        viewport,
        locale: 'pt-BR',
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(PATIENCE_MS);
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

    const tokenOf = async (usuario: string): Promise<string> =>
      (await service().as(usuario)).headers['token']!;

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

    it('/graphiql opens three tabs, and a login in the first serves the others', async () => {
      const { page, complaints, foreign } = await visit('/graphiql');
      const names = page.locator('.graphiql-tab-button');
      await names.nth(2).waitFor();
      expect(await names.allTextContents()).toEqual(['Entrar', 'Laboratorios', 'MaisUsados']);

      await page.getByRole('button', { name: 'Variables', exact: true }).click();
      await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(
        JSON.stringify({ input: { username: 'tecnico', password: demoPassword('tecnico') } }),
      );
      await page.locator('.graphiql-execute-button').click();
      await page.getByRole('menuitem', { name: 'Entrar' }).click();
      await page.locator('.graphiql-response', { hasText: '"token"' }).waitFor();
      await names.nth(2).click();
      await page.locator('.graphiql-query-editor', { hasText: 'MaisUsados' }).waitFor();
      // GraphiQL ignores the button until it has parsed the document of the tab.
      await eventually(async () => {
        await page.locator('.graphiql-execute-button').click();
        await page.locator('.graphiql-response', { hasText: 'Acetato de etila' }).waitFor({ timeout: 5_000 });
      });
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
      await page.context().close();
    });

    /** What must be visible before a page is checked. */
    const ready = { '/': 'main', '/errors': 'main', '/docs': '.opblock-tag', '/graphiql': '.monaco-editor' };
    const paths = Object.keys(ready) as (keyof typeof ready)[];
    const isReady = (page: Page, path: keyof typeof ready) => page.locator(ready[path]).first().waitFor();
    /** Known findings of axe in third-party editors, by page. */
    const ofVendors: Partial<Record<(typeof paths)[number], { root: string; rules: string[] }>> = {
      '/docs': { root: '#swagger-ui', rules: ['color-contrast', 'heading-order', 'region', 'select-name'] },
      '/graphiql': { root: '#root', rules: ['nested-interactive'] },
    };

    it.each(paths)(
      '%s has no obstacles that axe finds, but those of its vendor, and fits on a phone',
      async path => {
        const { page } = await visit(path, { bypassCSP: true });
        await isReady(page, path);
        const vendor = ofVendors[path];
        if (vendor) await page.locator('#session summary').click();
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html] as const));
        expect(found.filter(([id]) => !vendor?.rules.includes(id))).toEqual([]);
        if (vendor) {
          const own = (await page.evaluate(`axe.run('#session')`)) as AxeResults;
          expect(own.violations.map(({ id }) => id)).toEqual([]);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        // The editors lay themselves out anew when they have time.
        await eventually(async () =>
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390),
        );
        await page.context().close();
      },
    );

    const phone = { viewport: { width: 360, height: 740 } };

    it('/graphiql on a phone shows editor and answer one below the other, in the whole width', async () => {
      const { page } = await visit('/graphiql', phone);
      await isReady(page, '/graphiql');
      const [editor, answer] = [
        await page.locator('.graphiql-editors').boundingBox(),
        await page.locator('.graphiql-response').boundingBox(),
      ];
      expect(answer!.y).toBeGreaterThan(editor!.y + editor!.height - 2);
      for (const { width, height } of [editor!, answer!]) {
        expect(width).toBeGreaterThan(250);
        expect(height).toBeGreaterThan(200);
      }
      await page.context().close();
    });

    it('/docs on a phone is not wider than the screen, also with an open operation', async () => {
      const { page } = await visit('/docs', phone);
      await isReady(page, '/docs');
      await page.locator('.opblock-tag', { hasText: 'Almoxarifado de químicos' }).click();
      const operation = page.locator('.opblock-get:has([data-path="/almoxarifadoquimicos/materiais"])');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await page.context().close();
    });

    /** Presses Tab until an element has the focus. */
    async function tabTo(page: Page, selector: string): Promise<void> {
      for (let i = 0; i < 200; i++) {
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${selector}`);
    }

    async function enterByKeyboard(page: Page): Promise<void> {
      await tabTo(page, '#session summary');
      await page.keyboard.press('Enter');
      await tabTo(page, '#session [name=username]');
      await page.keyboard.type('admin');
      await page.keyboard.press('Tab');
      await page.keyboard.type('wrong');
      await page.keyboard.press('Enter');
      await page.locator('#session [role=alert]', { hasText: 'senha' }).waitFor();
      await page.keyboard.type(demoPassword('admin'));
      await page.keyboard.press('Enter');
      await page.locator('#session [role=status]', { hasText: 'Sessão de' }).waitFor();
    }

    it('/docs logs in and runs a request by the keyboard alone', async () => {
      const { page } = await visit('/docs');
      await isReady(page, '/docs');
      await enterByKeyboard(page);
      await tabTo(page, '.opblock-tag .expand-operation');
      await page.keyboard.press('Enter');
      const operation = '.opblock-get:has([data-path="/academico/situacoes-atividade-curriculo"])';
      await tabTo(page, `${operation} .opblock-summary-control`);
      await page.keyboard.press('Enter');
      await page.locator(`${operation} .execute`).waitFor();
      await tabTo(page, `${operation} .execute`);
      await page.keyboard.press('Enter');
      const response = page.locator(`${operation} .live-responses-table`);
      await response.locator('.highlight-code', { hasText: '"total"' }).waitFor();
      expect(await response.locator('tbody .response-col_status').first().textContent()).toContain('200');
      await page.context().close();
    });

    it('/graphiql logs in, opens a tab, runs its query and logs out by the keyboard alone', async () => {
      const { page } = await visit('/graphiql');
      await isReady(page, '/graphiql');
      const tabs = page.locator('.graphiql-tab-button');
      await tabs.nth(2).waitFor();
      await enterByKeyboard(page);
      await tabTo(page, '[role=tab]:nth-child(2) .graphiql-tab-button');
      await page.keyboard.press('Enter');
      const editor = page.locator('.graphiql-query-editor', { hasText: 'query Laboratorios' });
      await editor.waitFor();
      const response = page.locator('.graphiql-response');
      const run = async (prepare: () => Promise<void>, keys: string) =>
        // GraphiQL ignores the keys until it has parsed the document of the tab.
        eventually(async () => {
          await prepare();
          const answered = page.waitForResponse(answer => answer.url().endsWith('/graphql'), {
            timeout: 5_000,
          });
          await page.keyboard.press(keys);
          expect((await answered).status()).toBe(200);
          await response.filter({ hasText: 'Laboratório de' }).waitFor({ timeout: 5_000 });
        });

      await tabTo(page, '.graphiql-query-editor .graphiql-editor');
      await page.keyboard.press('Enter');
      await run(() => tabTo(page, '.graphiql-query-editor textarea'), 'Control+Enter');
      await page.keyboard.press('Escape');
      await run(() => tabTo(page, '.graphiql-execute-button'), 'Enter');
      // Keys scroll it, and Tab leaves it.
      await tabTo(page, '.result-window');
      await tabTo(page, '#session > button');
      // The page is loaded again only after the session has ended.
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      await tabs.nth(2).waitFor();
      expect(await response.textContent()).not.toContain('Laboratório');
      await page.context().close();
    });

    it('/graphql says that the Sandbox cannot be loaded and leads to pages that can', async () => {
      const { page, foreign } = await visit('/graphql');
      await page.getByRole('heading', { name: 'O Apollo Sandbox não pôde ser carregado' }).waitFor();
      expect(foreign).toEqual([expect.stringContaining('embeddable-sandbox.umd.production.min.js')]);
      await page.getByRole('link', { name: 'Swagger UI' }).click();
      await page.waitForURL(`${service().url}/docs`, { waitUntil: 'commit' });
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
      // Everything that Apollo's page stores in such a frame, such as headers, is deleted with the page.
      expect(await page.locator('iframe').evaluate((frame: any) => frame.credentialless)).toBe(true);
      expect(await page.locator('main').count()).toBe(0);
      expect(await page.evaluate('window.handed')).toMatchObject({
        initialEndpoint: `${service().url}/graphql`,
        initialState: starter('en'),
      });
      await context.close();
    });
  },
);
