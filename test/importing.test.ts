import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { endLost } from '../src/imports/progress.ts';
import type { Answer, Client } from './support/client.ts';
import { grant } from './support/permissions.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const PLACES = '/institucional/importacoes';
const REFUSED = '/institucional/linhas-recusadas';
const MUTATION = `mutation ($input: ImportacaoInput!) { importar(input: $input) {
  id situacao simulacao linhas criadas alteradas iguais repetidas recusadas totalProblemas detalhe lidas gravadas
  problemas { linha coluna valor problema esperado } repeticoes { linha primeira } } }`;

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

interface Upload {
  registros?: string;
  nome?: string;
  content: string | Buffer;
  [more: string]: unknown;
}

/** What both faces take. */
const bodyOf = ({ registros = 'lotacoes', nome = 'arquivo.csv', content, ...more }: Upload) => ({
  registros,
  nomeArquivo: nome,
  conteudo: Buffer.from(content).toString('base64'),
  ...more,
});

async function byGraphql(client: Client, upload: Upload) {
  const { data, errors } = await client.graphql(MUTATION, { input: bodyOf(upload) });
  return { ...data?.importar, errors };
}

function byRest(client: Client, upload: Upload): Promise<Answer> {
  const { nomeArquivo, aceitarValidas, ...rest } = bodyOf(upload) as Record<string, unknown>;
  return client.post(PLACES, {
    ...rest,
    nome_arquivo: nomeArquivo,
    ...(aceitarValidas !== undefined && { aceitar_validas: aceitarValidas }),
  });
}

const shown = async (id: number, client = admin) => (await client.get(`${PLACES}/${id}`)).body;
const ended = (id: number) =>
  eventually(async () => {
    const one = await shown(id);
    expect(one.situacao).not.toBe('em_andamento');
    return one;
  });

/** A file of an answer, as a workbook. */
async function workbook(path: string, client = admin): Promise<ExcelJS.Workbook> {
  const answer = await fetch(service().url + path, {
    headers: { ...client.headers, accept: 'application/octet-stream' },
  });
  expect(answer.headers.get('content-disposition')).toMatch(/attachment; filename="[\w-]+\.xlsx"/);
  const read = new ExcelJS.Workbook();
  await read.xlsx.load(await answer.arrayBuffer());
  return read;
}

const cells = (book: ExcelJS.Workbook): unknown[][] =>
  book.worksheets[0]!.getSheetValues()
    .slice(1)
    .map(row => (row as unknown[]).slice(1));

const staff = 'cpf;nome_civil;natureza_juridica;ultima_alteracao;lotacao_sigla';

/** Holds up each insert into a table until this is done, so that an import is in the middle of its work meanwhile. */
async function heldUp<T>(table: string, work: () => Promise<T>): Promise<T> {
  await sql('create table portao as select false as aberto');
  await sql(`create or replace function dormir() returns trigger language plpgsql as $$ begin
      while not (select aberto from portao) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$`);
  await sql(`create trigger dormir after insert on ${table} execute function dormir()`);
  try {
    return await work();
  } finally {
    await sql('update portao set aberto = true');
    await eventually(() => sql('drop function dormir cascade'));
    await sql('drop table portao');
  }
}

/** The connection that inserts. */
const inserting = (table: string) =>
  eventually(async () => {
    const rows = await sql(
      `select pid from pg_stat_activity where datname = current_database() and query like $1 and state = 'active'`,
      [`insert into "${table}"%`],
    );
    expect(rows).toHaveLength(1);
    return rows[0]![0] as number;
  });

describe('importar', () => {
  it('checks a file as Excel saves it in Brazil, and reports in Portuguese what is wrong and where', async () => {
    const content = Buffer.from(
      [
        'CPF;Nome civil;Natureza jur\xeddica;\xdaltima altera\xe7\xe3o;Lota\xe7\xe3o sigla',
        '12345678900;Jos\xe9;Bolsista;30/02/2026;DQI',
        '00000000191;Jo\xe3o;Bolsista;1/2/2026;NADA',
        '00000000272;;Bolsista;1/2/2026;',
        '00000000353;Boa;Bolsista;1/2/2026;',
        '00000000353;Boa;Bolsista;1/2/2026;',
      ].join('\r\n'),
      'latin1',
    );
    const upload = { registros: 'funcionarios', content, simulacao: true };
    const { errors, id, ...report } = await byGraphql(admin, upload);
    expect(errors).toBeUndefined();
    expect(report).toMatchObject({
      situacao: 'RECUSADA',
      linhas: 5,
      criadas: 1,
      repetidas: 1,
      recusadas: 3,
      totalProblemas: 4,
      repeticoes: [{ linha: 6, primeira: 5 }],
    });
    expect(report.problemas).toEqual([
      {
        linha: 2,
        coluna: 'cpf',
        valor: '12345678900',
        problema: 'O valor não tem a forma esperada.',
        esperado: 'um CPF com seus dígitos verificadores',
      },
      {
        linha: 2,
        coluna: 'ultima_alteracao',
        valor: '30/02/2026',
        problema: 'O valor não tem a forma esperada.',
        esperado: 'data e hora, DD/MM/AAAA HH:MM:SS ou AAAA-MM-DD HH:MM:SS, de 1900 a 2199',
      },
      {
        linha: 3,
        coluna: 'lotacao_sigla',
        valor: 'NADA',
        problema: 'Não há o registro que o valor nomeia.',
        esperado: 'exatamente um registro de lotacao',
      },
      {
        linha: 4,
        coluna: 'nome_civil',
        valor: '',
        problema: 'Falta o valor.',
        esperado: 'um valor: no máximo 200 caracteres',
      },
    ]);
    expect(await sql(`select count(*)::int from funcionario where cpf = '00000000353'`)).toEqual([[0]]);
    expect((await shown(id)).problemas).toHaveLength(4);
    expect(cells(await workbook(`${PLACES}/${id}`)).slice(0, 3)).toEqual([
      ['Linha', 'Coluna', 'Valor', 'Problema', 'Esperado'],
      [2, 'cpf', '12345678900', 'O valor não tem a forma esperada.', 'um CPF com seus dígitos verificadores'],
      expect.arrayContaining([2, 'ultima_alteracao']),
    ]);
    const english = await byGraphql(admin.with({ 'accept-language': 'en' }), upload);
    expect(english.problemas[3]).toMatchObject({ problema: 'The value is missing.' });
  });

  it('imports a workbook in the name of who sends it, on REST', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Lotações');
    sheet.addRows([
      ['Sigla', 'Nome'],
      ['IX1', 'Instituto de Química'],
      ['DQI', 'Departamento de Química'],
    ]);
    const content = Buffer.from(await book.xlsx.writeBuffer());
    const { status, headers, body } = await byRest(admin, { nome: 'C:\\lotações.xlsx', content });
    expect([status, headers.get('location')]).toEqual([201, `${PLACES}/${body.id}`]);
    expect(body).toMatchObject({ situacao: 'concluida', criadas: 1, iguais: 1, recusadas: 0, problemas: [] });
    const [[person]] = (await sql(`select criado_por from lotacao where sigla = 'IX1'`)) as [[number]];
    expect(body.criado_por).toBe(person);
    const [began, finished] = [body.iniciada_em, body.terminada_em].map(moment =>
      Date.parse(moment as string),
    );
    expect(began).toBeLessThanOrEqual(finished!);
    expect(
      await sql(
        `select id_pessoa, requisicao from auditoria where tabela = 'lotacao' and operacao = 'insert'
         and id_registro = (select id from lotacao where sigla = 'IX1')`,
      ),
    ).toEqual([[person, `importacao ${body.id}`]]);
  });

  it.each([
    ['is imported', 'sigla;nome\nAU1;A', {}, 'concluida'],
    ['is only checked', 'sigla;nome\nAU2;A', { simulacao: true }, 'concluida'],
    ['is refused for its rows', 'sigla;nome\nAU3;', {}, 'recusada'],
    ['is refused as a whole', 'apelido\nAU4', {}, 'recusada'],
    ['breaks off', 'sigla;nome\nAU5;só para o teste', {}, 'interrompida'],
  ])(
    'shows in the audit trail who imported it, with what and from where, when a file %s',
    async (_how, content, more, situacao) => {
      await sql(`alter table lotacao add constraint only_for_test check (nome <> 'só para o teste')`);
      try {
        const { body } = await byRest(admin, { content, ...more });
        expect(await ended(body.id)).toMatchObject({ situacao });
        const authors = await sql(
          `select id_pessoa, id_sistema, endereco from auditoria
            where tabela = 'importacao' and id_registro = $1 order by id`,
          [body.id],
        );
        expect(authors).toEqual([authors[0], authors[0]]);
        expect(authors[0]).not.toContain(null);
      } finally {
        await sql('alter table lotacao drop constraint only_for_test');
      }
    },
  );

  it('imports the good rows and gives back the bad ones, which can be corrected and imported', async () => {
    const content = `${staff}\n00000000434;Boa;Bolsista;2026-01-01;DQI\n00000000515;Má;Bolsista;2026-01-01;NADA\n00000000604;Pior;;hoje;`;
    const upload = { registros: 'funcionarios', content };
    expect(await byGraphql(admin, upload)).toMatchObject({ situacao: 'RECUSADA', criadas: null });
    const { id, ...rest } = await byGraphql(admin, { ...upload, aceitarValidas: true });
    expect(rest).toMatchObject({ situacao: 'CONCLUIDA', criadas: 1, recusadas: 2, totalProblemas: 3 });
    const rows = (await admin.get(`${REFUSED}/${id}`)).body;
    expect(rows).toMatchObject({ total: 2, colunas: staff.split(';') });
    expect(rows.linhas[0]).toMatchObject({ linha: 3, celulas: expect.arrayContaining(['NADA']) });
    const book = await workbook(`${REFUSED}/${id}`);
    const sheet = book.worksheets[0]!;
    expect(cells(book)[0]!.at(-1)).toBe('problemas');
    expect(sheet.getCell('F2').value).toContain('lotacao_sigla: Não há o registro');
    sheet.getCell('E2').value = 'DQI';
    sheet.getCell('C3').value = 'Bolsista';
    sheet.getCell('D3').value = '2/1/2026';
    const corrected = Buffer.from(await book.xlsx.writeBuffer());
    expect(await byGraphql(admin, { registros: 'funcionarios', content: corrected })).toMatchObject({
      situacao: 'CONCLUIDA',
      criadas: 2,
    });
    expect((await admin.get(`${REFUSED}/${id + 1}`)).status).toBe(404);
  });

  it('names the field of a request that cannot be read, and refuses a file as a whole', async () => {
    const fields = async (upload: Upload) =>
      (await byGraphql(admin, upload)).errors[0].extensions.errors.map((e: { field: string }) => e.field);
    expect(await fields({ registros: 'alunos', content: 'x' })).toEqual(['registros']);
    const { errors } = await admin.graphql(MUTATION, {
      input: { ...bodyOf({ content: 'x' }), conteudo: '%' },
    });
    expect(errors![0]!.extensions.errors![0]).toMatchObject({ field: 'conteudo' });
    expect((await byRest(admin, { content: '' })).status).toBe(422);
    const wrong = await byGraphql(admin, { content: 'sigla;apelido\nA;B' });
    expect(wrong).toMatchObject({ situacao: 'RECUSADA', criadas: null });
    expect(wrong.detalhe).toContain('a coluna 2 não pode ser importada');
    expect(wrong.problemas).toMatchObject([{ linha: 1, coluna: 'coluna 2', valor: 'apelido' }]);
    const named = await byGraphql(admin, {
      content: Buffer.from('sigla;nome\nXÃº;Ãª', 'latin1'),
      codificacao: 'WINDOWS_1252',
    });
    expect(named).toMatchObject({ situacao: 'CONCLUIDA', criadas: 1 });
    expect(await sql(`select nome from lotacao where sigla = 'XÃº'`)).toEqual([['Ãª']]);
  });

  it('leaves nothing when its connection breaks off, and says so', async () => {
    const { body } = await heldUp('lotacao', async () => {
      const answer = await byRest(admin, { content: 'sigla;nome\nBRK;Quebrada' });
      expect(answer.body.situacao).toBe('em_andamento');
      await sql('select pg_terminate_backend($1)', [await inserting('lotacao')]);
      return answer;
    });
    const one = await ended(body.id);
    expect(one).toMatchObject({ situacao: 'interrompida', criadas: null });
    expect(one.detalhe).toMatch(/banco de dados/);
    expect(await sql(`select count(*)::int from lotacao where sigla = 'BRK'`)).toEqual([[0]]);
    expect(await byGraphql(admin, { content: 'sigla;nome\nBRK;Inteira' })).toMatchObject({ criadas: 1 });
  });

  it('is marked as interrupted when its process has gone, and cannot end in another way afterwards', async () => {
    const { reader } = service().services.listing;
    const [id] = await heldUp('lotacao', async () => {
      const { body } = await byRest(admin, { content: 'sigla;nome\nLST;Perdida' });
      await endLost(reader, 'x');
      expect((await shown(body.id)).situacao).toBe('em_andamento');
      await inserting('lotacao');
      await sql(
        `update andamento_importacao set visto_em = now() - interval '2 minutes' where id_importacao = $1`,
        [body.id],
      );
      await endLost(reader, 'Perdeu-se.');
      return [body.id as number];
    });
    expect(await shown(id)).toMatchObject({ situacao: 'interrompida', detalhe: 'Perdeu-se.' });
    // The next one runs after it.
    expect((await ended((await byRest(admin, { content: 'sigla;nome\nLS2;Outra' })).body.id)).criadas).toBe(
      1,
    );
    expect(await sql(`select count(*)::int from lotacao where sigla = 'LST'`)).toEqual([[0]]);
    expect(await shown(id)).toMatchObject({ situacao: 'interrompida', detalhe: 'Perdeu-se.' });
  });

  it('shows its progress, and does not hold up others, with 60,000 rows', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `V${i};Lotação número ${i}`);
    const { body } = await byRest(admin, { content: ['sigla;nome', ...rows].join('\n') });
    const seen: number[] = [];
    for (let state = body; state.situacao === 'em_andamento'; state = await shown(body.id)) {
      seen.push(state.lidas + state.gravadas);
      const answers = await Promise.all([
        admin.get('/almoxarifadoquimicos/locais'),
        admin.put('/almoxarifadoquimicos/tipos-empresas/2', { descricao: `Tipo ${seen.length}` }),
        admin.get('/institucional/noticias'),
      ]);
      // A request that waits too long for others gets 503.
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(await shown(body.id)).toMatchObject({ situacao: 'concluida', criadas: 60_000, gravadas: 60_000 });
    expect(Math.max(...seen)).toBeGreaterThan(0);
    expect(service().services.imports.hasRoom).toBe(true);
  });
});

describe('a term of office that a row would end', () => {
  it('stays if the row is refused, so that a check and an import refuse the same rows', async () => {
    const registros = 'responsaveis-laboratorio';
    const of = (...terms: string[]) => ({
      registros,
      content: [
        'local_sigla;pessoa_usuario;data_inicio;data_fim',
        ...terms.map(term => `LQA;discente;${term}`),
      ].join('\n'),
    });
    const known = of('2015-01-01;2015-12-31', '2016-01-01;2016-12-31');
    expect((await byRest(admin, known)).body).toMatchObject({ situacao: 'concluida', criadas: 2 });
    const upload = of(
      // Ends before it begins, so the first term stays.
      '2015-01-01;2014-12-31',
      // Overlaps it.
      '2015-10-01;2016-01-31',
      // Overlaps the one before, so the second term stays.
      '2016-01-01;2016-01-31',
      // Overlaps it.
      '2016-07-01;2016-08-31',
      '2017-01-01;2017-12-31',
    );
    const refused = { situacao: 'CONCLUIDA', criadas: 1, alteradas: 0, recusadas: 4 };
    for (const simulacao of [true, false])
      expect(await byGraphql(admin, { ...upload, simulacao, aceitarValidas: true })).toMatchObject(refused);
  });
});

describe('a value that another record has', () => {
  const upload = (...rows: string[]) => ({
    registros: 'pessoas',
    content: ['usuario;nome;email', ...rows.map(row => `${row}@troca.example`)].join('\n'),
  });

  it('may be that of a new record, if a row of the file replaces it', async () => {
    await byGraphql(admin, upload('troca1;Um;a', 'troca2;Dois;b'));
    for (const rows of [
      ['troca1;Um;c', 'troca3;Três;a'],
      ['troca4;Quatro;b', 'troca2;Dois;d'],
    ])
      for (const simulacao of [true, false])
        expect(await byGraphql(admin, { ...upload(...rows), simulacao })).toMatchObject({
          situacao: 'CONCLUIDA',
          criadas: 1,
          alteradas: 1,
        });
    const swap = await byGraphql(admin, upload('troca1;Um;a', 'troca3;Três;c'));
    expect(swap).toMatchObject({ situacao: 'RECUSADA', recusadas: 2 });
  });

  it('is refused if the row that replaces it is refused, for whatever reason', async () => {
    const of = (...rows: string[]) => ({ ...upload(...rows), aceitarValidas: true });
    await byGraphql(admin, upload('troca5;Cinco;e'));
    const withCpf = (...rows: string[]) => ({
      ...of(),
      content: ['usuario;nome;email;cpf', ...rows].join('\n'),
    });
    expect(await byGraphql(admin, withCpf('troca6;Seis;f@troca.example;12345678909'))).toMatchObject({
      criadas: 1,
    });
    const refused = { situacao: 'CONCLUIDA', criadas: 1, alteradas: 0, recusadas: 2 };
    for (const simulacao of [true, false]) {
      const nameless = of('troca5;;g', 'troca7;Sete;e', `troca8${simulacao};Oito;h${simulacao}`);
      expect(await byGraphql(admin, { ...nameless, simulacao })).toMatchObject(refused);
      const another = withCpf(
        'troca5;Cinco;g@troca.example;12345678909',
        'troca7;Sete;e@troca.example;',
        `troca9${simulacao};Nove;i${simulacao}@troca.example;`,
      );
      expect(await byGraphql(admin, { ...another, simulacao })).toMatchObject(refused);
    }
  });
});

describe('who may import', () => {
  it('has level 3 on what owns the records', async () => {
    const tecnico = await service().as('tecnico');
    const upload = { registros: 'materiais', content: 'titulo\nX' };
    expect((await byRest(tecnico, upload)).status).toBe(403);
    expect((await byGraphql(tecnico, upload)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await byRest(await service().as('almoxarife'), upload)).status).toBe(201);
    expect((await byRest(await service().as('almoxarife'), { ...upload, registros: 'pessoas' })).status).toBe(
      403,
    );
    const names = async (client: Client) =>
      (await client.get('/institucional/importaveis')).body.map(
        (one: { registros: string }) => one.registros,
      );
    expect(await names(tecnico)).toEqual([]);
    expect(await names(await service().as('almoxarife'))).toContain('saldos-iniciais');
    expect(await names(await service().as('almoxarife'))).not.toContain('pessoas');
    expect(await names(admin)).toHaveLength(28);
  });

  it.for([
    ['unidades-medida', 'sigla;descricao\nX3;Nada'],
    ['tipos-controle', 'descricao\nNenhum'],
  ] as const)(
    'has level 3 on materials for what says how they are counted or controlled: %s',
    async ([registros, content]) => {
      const controller = `almoxarifadoquimicos/${registros}`;
      const revoke = await grant(service(), 'docente', { controller, nivel: 3 });
      const { status, body } = await byRest(await service().as('docente'), { registros, content });
      await revoke();
      expect([status, body.detail]).toEqual([403, expect.stringContaining('almoxarifadoquimicos/materiais')]);
      expect((await byRest(await service().as('almoxarife'), { registros, content })).status).toBe(201);
    },
  );

  it('manages something, which is asked before the file is received', async () => {
    const begin = async (user: string) => {
      const headers = { ...(await service().as(user)).headers, 'content-type': 'application/json' };
      const sent = request(`${service().url}${PLACES}`, { method: 'POST', headers });
      sent.on('error', () => undefined);
      sent.write(JSON.stringify(bodyOf({ content: 'sigla' })).slice(0, -10));
      return sent;
    };
    const refused = await begin('discente');
    const [{ statusCode }] = (await once(refused, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(403);
    refused.destroy();
    // From others it is received, to its end.
    const received = await begin('almoxarife');
    const folder = service().services.storage.incoming;
    await eventually(async () => expect(await readdir(folder)).not.toEqual([]));
    received.destroy();
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
  });

  it('sees their own imports alone, without level 1', async () => {
    const almoxarife = await service().as('almoxarife');
    const docente = await service().as('docente');
    const { body } = await byRest(almoxarife, { registros: 'lotacoes', content: 'sigla;nome\nOWN;' });
    expect(body.recusadas).toBe(1);
    const reads = async (client: Client) =>
      Promise.all(
        [`${PLACES}/${body.id}`, `${REFUSED}/${body.id}`].map(async path => (await client.get(path)).status),
      );
    expect(await reads(almoxarife)).toEqual([200, 200]);
    expect(await reads(docente)).toEqual([404, 404]);
    const raw = await docente.raw(`${PLACES}/${body.id}`, {
      headers: { accept: 'application/octet-stream' },
    });
    expect(raw.status).toBe(404);
    expect((await docente.get(PLACES)).body.total).toBe(0);
    const revoke = await grant(service(), 'docente', { controller: 'institucional/importacoes', nivel: 1 });
    expect(await reads(docente)).toEqual([200, 403]);
    await revoke();
  });

  it('lists imports, the latest first, by what and how they ended', async () => {
    const { body } = await byRest(admin, { content: 'sigla;apelido' });
    const all = (await admin.get(`${PLACES}?itemsPerPage=2`)).body;
    expect(all.data[0].id).toBe(body.id);
    expect(all.data).toHaveLength(2);
    const list = async (query: string) => (await admin.get(`${PLACES}?${query}&itemsPerPage=100`)).body.data;
    const refused = await list('registros=lotacoes&situacao=recusada');
    expect(refused.map(({ id }: { id: number }) => id)).toContain(body.id);
    for (const one of refused)
      expect(one).toMatchObject({ registros: 'lotacoes', situacao: 'recusada', lidas: expect.any(Number) });
    expect(await list('registros=noticias')).toEqual([]);
    const { data } = await admin.graphql(
      '{ importacoes(situacao: RECUSADA, registros: "lotacoes") { data { id problemas { linha } } } }',
    );
    expect(data.importacoes.data[0]).toEqual({ id: body.id, problemas: [{ linha: 1 }] });
  });

  it('gives nobody more than they manage, and changes nobody who may do more', async () => {
    const rights = ['permissoes/acesso-ambiente', 'permissoes/permissoes'];
    const revokes = await Promise.all(
      rights.map(controller => grant(service(), 'almoxarife', { controller, nivel: 3 })),
    );
    const almoxarife = await service().as('almoxarife');
    const people = (...rows: string[]) => ({
      registros: 'pessoas',
      content: ['usuario;nome;email;perfil;situacao', ...rows].join('\n'),
    });
    const refused = await byGraphql(
      almoxarife,
      people(
        'admin;Administradora;outro@universidade.example;;',
        'admin2;A;a2@universidade.example;Administrador;',
        'tecnico;Bia;tecnico2@universidade.example;;',
      ),
    );
    expect(
      refused.problemas.map(({ linha, coluna }: { linha: number; coluna: string }) => [linha, coluna]),
    ).toEqual([
      [2, 'usuario'],
      [3, 'perfil'],
    ]);
    const accepted = await byGraphql(almoxarife, people('novo;Novo;novo@universidade.example;Almoxarife;A'));
    expect(accepted).toMatchObject({ situacao: 'CONCLUIDA', criadas: 1 });
    for (const revoke of revokes) await revoke();
  });

  it('is refused if the right is taken away while the import waits', async () => {
    const docente = await service().as('docente');
    const revoke = await grant(service(), 'docente', { controller: 'almoxarifadoquimicos/locais', nivel: 3 });
    const { body } = await heldUp('lotacao', async () => {
      await byRest(admin, { content: 'sigla;nome\nSLO;Lenta' });
      const waiting = await byRest(docente, { content: 'sigla;nome\nNVR;Nunca' });
      expect(waiting.body).toMatchObject({ situacao: 'em_andamento', iniciada_em: null });
      await revoke();
      return waiting;
    });
    expect(await ended(body.id)).toMatchObject({ situacao: 'interrompida' });
    expect((await ended(body.id)).detalhe).toContain('almoxarifadoquimicos/locais');
    expect(await sql(`select count(*)::int from lotacao where sigla = 'NVR'`)).toEqual([[0]]);
  });

  it('imports nothing if the right is taken away while the rows are written', async () => {
    const docente = await service().as('docente');
    const revoke = await grant(service(), 'docente', { controller: 'almoxarifadoquimicos/locais', nivel: 3 });
    const { body } = await heldUp('lotacao', async () => {
      const answer = await byRest(docente, { content: 'sigla;nome\nNVS;Nunca' });
      await inserting('lotacao');
      await revoke();
      return answer;
    });
    const { situacao, detalhe } = await ended(body.id);
    expect(situacao).toBe('interrompida');
    expect(detalhe).toContain('almoxarifadoquimicos/locais');
    expect(await sql(`select count(*)::int from lotacao where sigla = 'NVS'`)).toEqual([[0]]);
  });

  it('has at most three imports at a time', async () => {
    const answers = await heldUp('lotacao', () =>
      Promise.all([1, 2, 3, 4].map(n => byRest(admin, { content: `sigla;nome\nT${n};Três` }))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 429]);
    await Promise.all(answers.filter(({ status }) => status === 201).map(({ body }) => ended(body.id)));
  });

  it('leaves no file behind when it is refused because of the others', async () => {
    const received = () => readdir(service().services.storage.incoming);
    const answers = await heldUp('lotacao', async () => {
      const begun = await Promise.all(
        [1, 2, 3].map(n => byRest(admin, { content: `sigla;nome\nV${n};Vários` })),
      );
      const before = await received();
      const { errors } = await byGraphql(admin, { content: 'sigla;nome\nV4;Vários' });
      expect(errors![0]!.extensions!['code']).toBe('RATE_LIMITED');
      expect(await received()).toEqual(before);
      return begun;
    });
    await Promise.all(answers.map(({ body }) => ended(body.id)));
  });
});
