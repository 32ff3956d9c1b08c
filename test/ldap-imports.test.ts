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
import { build, useProcesses } from './support/process.ts';

const PATH = '/institucional/usuarios-ldap';

describe.runIf(hasSlapd())('with an LDAP server, an import of managerial accounts', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  const processes = useProcesses();
  beforeAll(async () => {
    await build();
    directory = await onLdap();
  });
  afterAll(() => directory?.stop());
  const content = 'email;nome\nninguem.ve@universidade.example;Ninguém vê';

  it('is refused, because nobody would see them, and is not offered', async () => {
    const admin = await directory.service.as('admin');
    const offered = (await admin.get('/institucional/importaveis')).body;
    const names = offered.map(({ registros }: { registros: string }) => registros);
    expect(names).toContain('pessoas');
    expect(names).not.toContain('contas-gerenciais');
    const upload = { registros: 'contas-gerenciais', nome_arquivo: 'contas.csv' };
    const conteudo = Buffer.from(content).toString('base64');
    for (const simulacao of [true, false]) {
      const answer = await admin.post('/institucional/importacoes', { ...upload, conteudo, simulacao });
      expect(fieldsOf(answer)).toEqual(['registros']);
      expect(JSON.stringify(answer.body)).toContain('LDAP');
    }
    const { errors } = await admin.graphql(
      'mutation ($input: ImportacaoInput!) { importar(input: $input) { id } }',
      { input: { registros: 'contas-gerenciais', nomeArquivo: 'contas.csv', conteudo } },
    );
    expect(errors![0]!.extensions.errors).toMatchObject([{ field: 'registros' }]);
  });

  it('is refused by the command, too', async () => {
    const path = join(await processes.dataFolder(), 'contas.csv');
    await writeFile(path, content);
    const environment = { ...directory.server.environment, DATABASE_URL: directory.service.databaseUrl };
    const run = processes.command('import', environment, ['contas-gerenciais', path]);
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stderr).toBe(
      'Nothing was imported: contas-gerenciais: these records are on the LDAP server (LDAP_URL): create them there.\n',
    );
  });
});

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
