/**
 * Takes the pictures of docs/pictures, of the built service with its demo data:
 *
 *     npm run docs:pictures
 *
 * It needs Chromium and pdftoppm (Debian: `apt-get install chromium poppler-utils fonts-dejavu`).
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { options } from '../../src/commands/options.ts';
import { Client } from '../../test/support/client.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { serving } from '../serving.ts';
import { takePages } from './pages.ts';

options({}, 'This command takes no options.');

/** Pixels across every picture. README shows them at half of it, which is sharp on any screen. */
const WIDTH = 900;

const project = join(import.meta.dirname, '../..');
const target = join(project, 'docs/pictures');

/** The last month, of which the demo has movements. */
const last = new Date();
last.setUTCDate(0);
const month = `ano=${last.getUTCFullYear()}&mes=${last.getUTCMonth() + 1}&pdf=true`;

/** The first page of each document. */
const documents = {
  'teaching-plan': ['docente', '/academico/planos-ensino/gerar-pdf/33'],
  report: ['almoxarife', '/relatorios/almoxarifado-quimicos/materiais-controlados?pdf=true'],
  register: ['almoxarife', `/relatorios/almoxarifado-quimicos/livro-controlados?${month}`],
  findings: ['almoxarife', `/relatorios/almoxarifado-quimicos/pendencias-mapa?${month}`],
} as const;

const folder = await temporaryFolder();
try {
  await mkdir(target, { recursive: true });
  await serving(join(project, 'dist/src/main.js'), { DATA_DIR: folder }, async url => {
    const { headers } = await new Client(url).login('admin');
    await takePages(url, headers['token']!, { folder: target, width: WIDTH });
    for (const [name, [user, path]] of Object.entries(documents)) await takeDocument(url, name, user, path);
  });
} finally {
  await rm(folder, { recursive: true });
}

async function takeDocument(url: string, name: string, user: string, path: string): Promise<void> {
  const { headers } = await new Client(url).login(user);
  const answer = await fetch(url + path, { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const pdf = join(folder, `${name}.pdf`);
  await writeFile(pdf, await answer.bytes());
  const options = ['-png', '-singlefile', '-f', '1', '-scale-to-x', String(WIDTH), '-scale-to-y', '-1'];
  await promisify(execFile)('pdftoppm', [...options, pdf, join(target, name)]);
}
