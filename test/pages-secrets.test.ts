import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { temporaryFolder } from './support/folder.ts';
import { needs } from './support/needs.ts';
import { PATIENCE_MS } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const password = demoPassword('admin');
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** A browser that keeps the same data between two starts as a person's browser. */
async function launch(profile: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable!,
    viewport: { width: 1280, height: 900 },
    locale: 'pt-BR',
    reducedMotion: 'reduce',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
    ],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

async function profileFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What a page shows or stores, fields included, as one text. */
const traces = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { document, localStorage, sessionStorage, indexedDB, location } = globalThis as any;
    const fields = [...document.querySelectorAll('input, textarea')].map(field => field.value);
    const shown = document.body.innerText;
    const databases = await indexedDB.databases();
    return JSON.stringify([
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      databases,
      fields,
      shown,
    ]);
  });

/** Files of a browser profile that have one of the texts. */
async function filesWith(folder: string, texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const wanted = texts.flatMap(text => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  const contents = await Promise.all(files.map(file => readFile(file).catch(() => Buffer.alloc(0))));
  return files.filter((_, i) => wanted.some(text => contents[i]!.includes(text)));
}

/** Whether the session of a token lives. */
async function lives(token: string): Promise<boolean> {
  const { status } = await service().anyone.with({ token }).get('/almoxarifadoquimicos/unidades-medida');
  return status === 200;
}

async function open(browser: BrowserContext, path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(service().url + path);
  return page;
}

/** Logs in and lists materials, as the first lines of the page say. Answers the token. */
async function useGraphiql(page: Page): Promise<string> {
  const editor = page.locator('.graphiql-editor-tool .monaco-editor:visible');
  await page.getByRole('button', { name: 'Variables', exact: true }).click();
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify({ input: { username: 'admin', password } }));
  await page.locator('.graphiql-execute-button').click();
  const answered = page.waitForResponse(answer => /"Entrar"/.test(answer.request().postData() ?? ''));
  await page.getByRole('menuitem', { name: 'Entrar' }).click();
  const token = (await (await answered).json()).data.entrar.token as string;
  await page.locator('.graphiql-response', { hasText: token }).waitFor();

  await page.getByRole('button', { name: 'Headers', exact: true }).click();
  await editor.click();
  for (const key of ['Control+Home', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft'])
    await page.keyboard.press(key);
  await page.keyboard.insertText(token);
  await page.locator('.graphiql-execute-button').click();
  await page.getByRole('menuitem', { name: 'Materiais' }).click();
  await page.locator('.graphiql-response', { hasText: 'acético' }).waitFor();
  return token;
}

/** Logs in by `POST /auth/login`, gives the token to Authorize and lists measures with it. Answers the token. */
async function useSwagger(page: Page): Promise<string> {
  const authorize = async (scheme: string, value: string) => {
    const box = page
      .locator('.auth-container')
      .filter({ has: page.locator('code', { hasText: new RegExp(`^${scheme}$`) }) });
    await box.locator('input').fill(value);
    await box.getByRole('button', { name: 'Apply credentials' }).click();
  };
  await page.locator('button.authorize').first().click();
  await authorize('appName', 'SII');
  await authorize('apiKey', 'sii-demo-key');
  await page.locator('.btn-done').first().click();
  await page.locator('.opblock-tag', { hasText: 'Login de usuário' }).click();
  const login = page.locator('.opblock-post:has([data-path="/auth/login"])');
  await login.locator('.opblock-summary-control').click();
  await login
    .locator('textarea')
    .first()
    .fill(JSON.stringify({ username: 'admin', password }));
  const answered = page.waitForResponse(answer => answer.url().endsWith('/auth/login'));
  await login.locator('button.execute').click();
  const { token } = (await (await answered).json()) as { token: string };
  await login.locator('.live-responses-table', { hasText: token }).waitFor();
  await page.locator('button.authorize').first().click();
  await authorize('token', token);
  await page.locator('.btn-done').first().click();
  return token;
}

describe.skipIf(!needs('Chromium', executable !== undefined))('a browser that people share', () => {
  /** Both pages, how somebody uses them, and what they show once they are there. */
  const pages = [
    ['/graphiql', useGraphiql, '.graphiql-query-editor'],
    ['/docs', useSwagger, '.opblock-tag'],
  ] as const;

  it('keeps neither password nor token after the tab of a page is closed, or after it is emptied by its button', async () => {
    const profile = await profileFolder();
    const secrets = [password];
    const expectNone = (text: string): void => {
      for (const secret of secrets) expect(text).not.toContain(secret);
    };
    /** Opens a page that somebody else used, and checks what it has. */
    const openAfter = async (browser: BrowserContext, path: string, ready: string): Promise<Page> => {
      const page = await open(browser, path);
      await page.locator(ready).first().waitFor();
      expectNone(await traces(page));
      return page;
    };
    const first = await launch(profile);
    for (const [path, use, ready] of pages) {
      const page = await open(first, path);
      const token = await use(page);
      expect(await lives(token)).toBe(true);
      secrets.push(token);
      await page.close();
      await openAfter(first, path, ready);
    }
    await first.close();

    const second = await launch(profile);
    const opened = [];
    for (const [path, use, ready] of pages) opened.push([await openAfter(second, path, ready), use] as const);
    expect(await second.cookies()).toEqual([]);
    for (const [page, use] of opened) {
      const token = await use(page);
      secrets.push(token);
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Sair e limpar' }).click();
      await loaded;
      expect(await lives(token)).toBe(false);
      expectNone(await traces(page));
    }
    await second.close();
    expect(secrets).toHaveLength(5);
    expect(await filesWith(profile, secrets)).toEqual([]);
  });
});
