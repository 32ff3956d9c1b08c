import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importables, importFile } from '../src/imports/import-file.ts';
import { fileAt } from '../src/imports/rows.ts';
import type { Client } from './support/client.ts';
import { mailOf, onLdap } from './support/directories.ts';
import { temporaryFolder } from './support/folder.ts';
import { hasSlapd } from './support/ldap-server.ts';
import { grant } from './support/permissions.ts';
import { fieldsOf } from './support/problem.ts';

const PATH = '/institucional/usuarios-ldap';

describe.runIf(hasSlapd())('with an LDAP server, an import that says that somebody has left', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    directory = await onLdap({ STATEMENT_TIMEOUT_MS: '120000' });
  });
  afterAll(async () => {
    await directory?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function codeOf(email: string, client: Client): Promise<string> {
    const { status, body } = await client.put(`${PATH}/${email}?gerarCodigoCvr=true`, {});
    expect(status).toBe(200);
    return body.codigo_cvr;
  }
  const attach = async (email: string, cvr: string) =>
    (await directory.service.as('admin')).put(
      `${PATH}/${mailOf('almoxarife')}?adicionarContaGerencialCvr=${email}`,
      { cvr },
    );
  async function load(situacao: 'A' | 'I'): Promise<void> {
    const path = join(folder, 'pessoas.csv');
    await writeFile(path, `usuario;nome;email;situacao\ntecnico;Técnico;${mailOf('tecnico')};${situacao}`);
    const pessoas = (await importables()).get('pessoas')!;
    const options = { dryRun: false, progress: () => {} };
    await importFile(directory.service.services, pessoas, await fileAt(path), options);
  }

  it('ends the codes that they made, and no others, once', async () => {
    const [one, other] = await Promise.all(
      ['nucleo', 'centro'].map(usuario =>
        directory.addAccount(usuario, { nome: usuario, responsaveis: ['tecnico'] }),
      ),
    );
    await grant(directory.service, 'tecnico', { controller: 'institucional/usuarios-ldap', nivel: 2 });
    const [admin, tecnico] = [await directory.service.as('admin'), await directory.service.as('tecnico')];
    const theirs = await codeOf(one!, tecnico);
    await codeOf(other!, tecnico);
    const replaced = await codeOf(other!, admin);
    await load('I');
    expect(fieldsOf(await attach(one!, theirs))).toEqual(['cvr']);
    expect((await attach(other!, replaced)).status).toBe(200);
    const next = await codeOf(one!, admin);
    await load('I');
    expect((await attach(one!, next)).status).toBe(200);
    await load('A');
  });
});
