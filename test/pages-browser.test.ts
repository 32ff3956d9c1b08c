import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
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

    /** A page in a browser profile of its own, with its errors and its failed requests to other hosts. */
    async function visit(path: string): Promise<{ page: Page; complaints: string[]; foreign: string[] }> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
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
      // GraphiQL ignores the button until it has read the document of the tab.
      await eventually(async () => {
        await page.locator('.graphiql-execute-button').click();
        await page.locator('.graphiql-response', { hasText: 'Acetato de etila' }).waitFor({ timeout: 5_000 });
      });
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
      // What Apollo's page stores in such a frame, such as headers, is gone with the page.
      expect(await page.locator('iframe').evaluate((frame: any) => frame.credentialless)).toBe(true);
      expect(await page.locator('main').count()).toBe(0);
      expect(await page.evaluate('window.handed')).toMatchObject({
        initialEndpoint: `${service().url}/graphql`,
        initialState: starter,
      });
      await context.close();
    });
  },
);
