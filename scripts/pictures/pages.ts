import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const QUERY = `query Acidos {
  materiais(
    titulo: "acido"
    orderByTitulo: asc
  ) {
    total
    data {
      titulo
      numeroCas
      unidadeMedida {
        sigla
      }
      tipoControle {
        descricao
      }
      riscos {
        classificacaoRisco {
          risco
        }
      }
    }
  }
}
`;

/** Takes pictures of pages in a browser, as a logged-in user. */
export async function takePages(
  url: string,
  token: string,
  { folder, width }: { folder: string; width: number },
): Promise<void> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  );
  if (!executablePath) throw new Error('Chromium is missing');
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    const take = async (name: string, height: number, show: (page: Page) => Promise<void>): Promise<void> => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
      // The token is added to each request here, so that no picture shows it.
      await page.route('**/graphql', route =>
        route.continue({ headers: { ...route.request().headers(), token } }),
      );
      await show(page);
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
      await page.close();
    };
    await take('graphiql', 600, page => showQuery(page, url));
    await take('docs', 600, page => showDocs(page, url));
  } finally {
    await browser.close();
  }
}

async function showQuery(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/graphiql?query=${encodeURIComponent(QUERY)}`);
  await page.locator('.graphiql-query-editor .view-line').first().click();
  // The tab takes the name of its query when somebody writes.
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n');
  await page.keyboard.press('Control+Home');
  await page.locator('.graphiql-tab-button', { hasText: 'Acidos' }).waitFor();
  await page.getByRole('button', { name: 'Hide editor tools' }).click();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response', { hasText: 'acético' }).waitFor();
}

async function showDocs(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/docs`);
  const area = page.locator('.opblock-tag', { hasText: 'Almoxarifado de químicos' });
  await area.click();
  await page.locator('[data-path="/almoxarifadoquimicos/materiais"]').first().waitFor();
  await area.evaluate(element => element.scrollIntoView());
}
