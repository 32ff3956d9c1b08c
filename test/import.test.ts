import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { checkDigits } from '../src/domain/cpf.ts';
import { ItemMenu } from '../src/entities/permissoes/item-menu.ts';
import { Importable } from '../src/imports/importable.ts';
import { importables } from '../src/imports/import-file.ts';
import { columnsOf, describeColumns } from '../src/imports/plan.ts';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

const service = useService();
const { file, nowhere, run, alone, hurried, importAs, load } = useImports(service);

const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

/** A different CPF for each number. */
const cpf = (n: number): string => `${700_000_000 + n}${checkDigits(String(700_000_000 + n))}`;

const employees = (...rows: string[]): string =>
  ['cpf;nome_civil;natureza_juridica;ultima_alteracao;lotacao_sigla', ...rows].join('\n');

describe('npm run import', () => {
  it('may take longer than the statements of requests', async () => {
    await sql(`create function dormir() returns trigger language plpgsql as $$
      begin perform pg_sleep(1.5); return null; end $$`);
    await sql('create trigger dormir after insert on classificacao_risco execute function dormir()');
    const one = hurried('classificacoes-risco', await file('risco;icone_risco_nome\nLento;Chama'));
    const exit = await one.exited;
    await sql('drop function dormir cascade');
    expect([exit.code, one.stderr]).toEqual([0, '']);
    expect(one.stdout).toContain('1 created');
  });

  it('creates new records, changes known ones, keeps equal ones, and says how many', async () => {
    const first = await file(
      employees(
        `${cpf(1)};Ana Importada;Bolsista;2026-11-01 10:00:00;DQI`,
        `${cpf(2)};Beto Importado;Bolsista;01/11/2026;`,
      ),
    );
    expect(await run(0, 'funcionarios', first)).toBe(
      `Imported funcionarios from ${first}: 2 created, 0 changed, 0 unchanged.\n`,
    );
    const second = await file(
      employees(
        `${cpf(1)};Ana Importada;Bolsista;2026-11-01 10:00:00;DQI`,
        `${cpf(2)};Beto Mudado;Bolsista;01/11/2026;DBI`,
        `${cpf(3)};Caio Importado;Bolsista;2026-11-01T10:00:00Z;`,
        `${cpf(3)};Caio Importado;Bolsista;2026-11-01T10:00:00Z;`,
      ),
    );
    expect(await run(0, 'funcionarios', second)).toContain(
      '1 created, 1 changed, 1 unchanged. Skipped 1 that repeat an earlier row.',
    );
    const stored = await sql(
      `select f.nome_civil, l.sigla, f.situacao, to_char(f.ultima_alteracao at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
       from funcionario f left join lotacao l on l.id = f.id_lotacao where cpf = any($1) order by cpf`,
      [[cpf(1), cpf(2), cpf(3)]],
    );
    expect(stored).toEqual([
      ['Ana Importada', 'DQI', 'A', '2026-11-01 13:00'],
      ['Beto Mudado', 'DBI', 'A', '2026-11-01 03:00'],
      ['Caio Importado', null, 'A', '2026-11-01 10:00'],
    ]);
    const trail = await sql(
      `select operacao, id_pessoa, requisicao, count(*)::int from auditoria
       where tabela = 'funcionario' and id_registro in (select id from funcionario where cpf = any($1))
       group by 1, 2, 3 order by 1`,
      [[cpf(1), cpf(2), cpf(3)]],
    );
    expect(trail).toEqual([
      ['insert', null, 'import funcionarios', 3],
      ['update', null, 'import funcionarios', 1],
    ]);
  });

  it('reports every problem by row and column, and then writes nothing', async () => {
    const path = await file(
      [
        'cpf,nome_civil,natureza_juridica,ultima_alteracao,lotacao_sigla,situacao',
        `${cpf(10)},Boa,Bolsista,2026-11-01,DQI,A`,
        '12345678900,,Bolsista,2026-02-30,DQI,X',
        `${cpf(11)},"${'x'.repeat(201)}",Bolsista,2026-11-01,NADA,`,
        `${cpf(10)},Repetida,Bolsista,2026-11-01 25:00,,a,mais`,
      ].join('\r\n'),
    );
    expect(await run(1, 'funcionarios', path)).toBe(`Nothing was imported: ${path} has 9 problems.
  row 3, cpf: expected a CPF with its check digits, found "12345678900"
  row 3, nome_civil: expected a value: at most 200 characters, found nothing
  row 3, ultima_alteracao: expected a timestamp, YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, from 1900 to 2199, found "2026-02-30"
  row 3, situacao: expected A or I, found "X"
  row 4, nome_civil: expected at most 200 characters, found "${'x'.repeat(60)}…"
  row 4, lotacao_sigla: expected exactly one record of lotacao, found "NADA"
  row 5, ultima_alteracao: expected a timestamp, YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, from 1900 to 2199, found "2026-11-01 25:00"
  row 5, column 7: expected no value in a column without a header, found "mais"
  row 5, cpf: expected a value that no earlier row has, found "${cpf(10)}"
`);
    expect(await sql('select count(*)::int from funcionario where cpf = $1', [cpf(10)])).toEqual([[0]]);
  });

  it('checks everything and writes nothing with --dry-run', async () => {
    const path = await file('sigla;nome\nXX1;Nova\nDQI;Departamento de Química');
    const before = await sql('select id, sigla, nome from lotacao order by id');
    expect(await run(0, 'lotacoes', path, '--dry-run')).toBe(
      `Would import lotacoes from ${path}: 1 created, 0 changed, 1 unchanged.\n`,
    );
    expect(await sql('select id, sigla, nome from lotacao order by id')).toEqual(before);
  });

  it('explains its usage before it looks for a database', async () => {
    for (const [args, said] of [
      [[], 'What to import'],
      [['alunos', 'x.csv'], '"alunos" cannot be imported'],
      [['--force'], "Unknown option '--force'"],
      [['pessoas', 'x.csv', '--encoding', 'cp850'], '"cp850" is not a known encoding'],
    ] as const) {
      const wrong = alone(...args);
      expect(await wrong.exited).toEqual({ code: 1, signal: null });
      expect(wrong.stderr).toContain(said);
      expect(wrong.stderr).toContain(
        'Usage: npm run import -- [--dry-run] [--as <user>] [--encoding <name>] <records> <file.csv|file.xlsx>',
      );
    }
    for (const [path, said] of [
      [nowhere(), 'ENOENT'],
      [await file('x', 'txt'), 'neither a .csv nor an .xlsx file'],
    ] as const) {
      const wrong = alone('pessoas', path);
      expect(await wrong.exited).toEqual({ code: 1, signal: null });
      expect(wrong.stderr).toContain(said);
    }
  });

  it('imports 5,000 rows at once, and reports the first hundred of 5,000 problems', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `u${i};Pessoa ${i};u${i}@universidade.example`);
    const path = await file(['usuario;nome;email', ...rows].join('\n'));
    expect(await run(0, 'pessoas', path)).toContain('5000 created, 0 changed, 0 unchanged.');
    const bad = await file(['usuario;nome;email', ...rows.map(row => row.replace('@', ' '))].join('\n'));
    const said = (await run(1, 'pessoas', bad)).trimEnd().split('\n');
    expect(said[0]).toContain('has 5000 problems.');
    expect(said[100]).toContain('row 101, email: expected an e-mail address');
    expect(said[101]).toBe('  and 4900 more');
  });
});

describe('a file', () => {
  it('may be a workbook, with days, numbers and formulas in its cells', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Funcionários');
    sheet.addRow(['cpf', 'nome_civil', 'natureza_juridica', 'ultima_alteracao', 'lotacao_sigla']);
    sheet.addRow([
      '00000000191',
      { richText: [{ text: 'Zero ' }, { text: 'à esquerda' }] },
      'Bolsista',
      new Date('2026-11-02T00:00:00Z'),
      { formula: '"D"&"QI"', result: 'DQI' },
    ]);
    sheet.addRow([]);
    sheet.addRow([272, 'Número', 'Bolsista', new Date('2026-11-02T08:30:00Z')]);
    const path = await file(Buffer.from(await workbook.xlsx.writeBuffer()), 'xlsx');
    expect(await load('funcionarios', path)).toEqual({ created: 2, changed: 0, same: 0 });
    expect(
      await sql(
        `select cpf, nome_civil, to_char(ultima_alteracao at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI'),
           id_lotacao is not null from funcionario where cpf like '0000000%' order by cpf`,
      ),
    ).toEqual([
      ['00000000191', 'Zero à esquerda', '2026-11-02 00:00', true],
      ['00000000272', 'Número', '2026-11-02 08:30', false],
    ]);
    sheet.getCell('A4').value = 273;
    const bad = await file(Buffer.from(await workbook.xlsx.writeBuffer()), 'xlsx');
    await expect(load('funcionarios', bad)).rejects.toThrow('row 4, cpf: expected a CPF');
  });

  it('loses nothing of a workbook when the disk is slow, and reads its first visible sheet', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Notas', { state: 'hidden' }).addRow(['Conferido por', 'Ana']);
    workbook.addWorksheet('Lotações').addRows([
      ['sigla', 'nome'],
      ['DEV', 'Devagar'],
    ]);
    const path = await file(Buffer.from(await workbook.xlsx.writeBuffer()), 'xlsx');
    const { open } = fs;
    const slow = vi.spyOn(fs, 'open').mockImplementation((...args: Parameters<typeof open>) => {
      setTimeout(open, 50, ...args);
    });
    try {
      expect(await load('lotacoes', path)).toEqual({ created: 1, changed: 0, same: 0 });
    } finally {
      slow.mockRestore();
    }
    expect(await sql(`select nome from lotacao where sigla = 'DEV'`)).toEqual([['Devagar']]);
  });

  it('that was damaged on its way is refused', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Lotações').addRows([
      ['sigla', 'nome'],
      ['DAN', 'Danificada'],
    ]);
    const content = Buffer.from(await workbook.xlsx.writeBuffer());
    // The checksum in the archive's directory, which is its last part.
    const entry = content.lastIndexOf(
      'PK\x01\x02',
      content.lastIndexOf('xl/worksheets/sheet1.xml'),
      'latin1',
    );
    content[entry + 16]! ^= 1;
    await expect(load('lotacoes', await file(content, 'xlsx'))).rejects.toThrow(
      'cannot be read as a workbook (it is damaged)',
    );
    expect(await sql(`select from lotacao where sigla = 'DAN'`)).toEqual([]);
  });

  it.each([true, false])(
    'with many accents keeps all of them in shared texts: %s',
    async useSharedStrings => {
      const filename = await file('', 'xlsx');
      const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename, useSharedStrings });
      const sheet = workbook.addWorksheet('Lotações');
      sheet.addRow(['sigla', 'nome']).commit();
      const name = (i: number): string => `${i} ${'xã€'.repeat(60)}`;
      for (let i = 0; i < 5_000; i++) sheet.addRow([`${useSharedStrings}${i}`, name(i)]).commit();
      sheet.commit();
      await workbook.commit();
      expect(await load('lotacoes', filename)).toMatchObject({ created: 5_000 });
      const names = await sql('select nome from lotacao where sigla ~ $1 order by id', [
        `^${useSharedStrings}`,
      ]);
      expect(names.flat()).toEqual(Array.from({ length: 5_000 }, (_, i) => name(i)));
    },
  );

  it('may have a byte order mark, quotes, line breaks in cells, empty rows and capitals in its headers', async () => {
    const path = await file(
      '\ufeffDescricao,ORGAO_CONTROLADOR,exige_aprovacao\r\n\r\n"Controle, ""novo""\nem teste",Polícia,Sim\r\n,,\r\nOutro,,\r\n',
    );
    expect(await load('tipos-controle', path)).toEqual({ created: 2, changed: 0, same: 0 });
    expect(
      await sql(
        `select descricao, orgao_controlador, exige_aprovacao from tipo_controle order by id desc limit 2`,
      ),
    ).toEqual([
      ['Outro', null, false],
      ['Controle, "novo"\nem teste', 'Polícia', true],
    ]);
  });

  it.each([
    [
      'partly in UTF-8',
      Buffer.concat([Buffer.from('sigla;nome\nA1;Física\n'), Buffer.from('A2;Química\n', 'latin1')]),
      'csv',
      /is partly in UTF-8 and partly not\. Say the encoding/,
    ],
    ['with a quote that is never closed', 'sigla;nome\nA1;"x\nA2;y', 'csv', /not well-formed CSV/],
    ['with nothing in it', '', 'csv', /is empty/],
    ['that is not a workbook', 'sigla;nome', 'xlsx', /cannot be read as a workbook .* Save it as/],
  ])('%s is refused', async (_name, content, type, why) => {
    const path = await file(content, type);
    await expect(load('lotacoes', path)).rejects.toThrow(why);
  });

  it.each([
    [
      'Windows-1252, as "CSV" of Excel',
      Buffer.from('Sigla;Nome\nQF;F\xedsico-qu\xedmica \x96 \x80', 'latin1'),
    ],
    [
      'UTF-16 with tabs, as "Unicode text" of Excel',
      Buffer.from('\ufeffsigla\tnome\nQF\tFísico-química – €', 'utf16le'),
    ],
    ['UTF-8 that tells Excel its separator', Buffer.from('\ufeffsep=,\nsigla,nome\nQF,Físico-química – €')],
  ])('may be in %s', async (_name, content) => {
    await sql(`delete from lotacao where sigla = 'QF'`);
    expect(await load('lotacoes', await file(content))).toMatchObject({ created: 1 });
    expect(await sql(`select nome from lotacao where sigla = 'QF'`)).toEqual([['Físico-química – €']]);
  });

  it('may name its encoding, which then counts', async () => {
    // These bytes are also valid UTF-8.
    const path = await file(Buffer.from('sigla;nome\nXÃº;Ãª', 'latin1'));
    expect(await load('lotacoes', path, true)).toMatchObject({ created: 1 });
    expect(await run(0, 'lotacoes', path, '--encoding', 'windows-1252')).toContain('1 created');
    expect(await sql(`select sigla, nome from lotacao where sigla ~ '^X[Ãú]'`)).toEqual([['XÃº', 'Ãª']]);
  });

  it('may write headers, days and numbers as Brazilians do', async () => {
    const path = await file(
      [
        'CPF;Nome civil;Natureza jurídica;Última alteração;E-mail',
        `${cpf(20)};Ana;Bolsista;1/2/2026 8:05;ana.br@universidade.example`,
        `${cpf(21)};Bia;Bolsista;03.02.2026;`,
      ].join('\r\n'),
    );
    expect(await load('funcionarios', path)).toMatchObject({ created: 2 });
    expect(
      await sql(
        `select to_char(ultima_alteracao at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI'), email
         from funcionario where cpf = any($1) order by cpf`,
        [[cpf(20), cpf(21)]],
      ),
    ).toEqual([
      ['2026-02-01 08:05', 'ana.br@universidade.example'],
      ['2026-02-03 00:00', null],
    ]);
    const short = await file(employees(`${cpf(22)};Caio;Bolsista;1/2/26;`));
    await expect(load('funcionarios', short)).rejects.toThrow('expected a timestamp');
    const units = (factor: string) =>
      file(`sigla;descricao;unidade_controle;fator_controle\nfb;Fardo;K;${factor}`);
    expect(await load('unidades-medida', await units('1.234,5'))).toMatchObject({ created: 1 });
    expect(await sql(`select fator_controle from unidade_medida where sigla = 'fb'`)).toEqual([[1234.5]]);
    await expect(load('unidades-medida', await units('1.23,5'))).rejects.toThrow('expected a number');
  });

  it('may repeat a row, which is skipped and reported', async () => {
    const path = await file('sigla;nome\nRE1;Repetida\nRE2;Outra\nRE1;Repetida\n RE1 ;Repetida');
    expect(await load('lotacoes', path)).toEqual({ created: 2, changed: 0, same: 0, repeated: 2 });
    const different = await file('sigla;nome\nRE1;Repetida\nRE1;Diferente');
    await expect(load('lotacoes', different)).rejects.toThrow(
      'row 3, sigla: expected a value that no earlier',
    );
  });

  it('cannot unpack to any size, nor have any number of columns', async () => {
    const filename = await file('', 'xlsx');
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename });
    const sheet = workbook.addWorksheet('Lotações');
    sheet.addRow(['sigla', 'nome']).commit();
    sheet.addRow(['A', 'x'.repeat(5_000_000)]).commit();
    await workbook.commit();
    await expect(load('lotacoes', filename)).rejects.toThrow('is too large when unpacked');
    const wide = new ExcelJS.Workbook();
    wide.addWorksheet('Lotações').getCell(1, 201).value = 'nome';
    const path = await file(Buffer.from(await wide.xlsx.writeBuffer()), 'xlsx');
    await expect(load('lotacoes', path)).rejects.toThrow('more than 200 columns');
  });

  it('cannot keep the process busy with tags that do not end', async () => {
    const filename = await file('', 'xlsx');
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename });
    const sheet = workbook.addWorksheet('Lotações');
    sheet.addRow(['sigla', 'nome']).commit();
    // Each would be read again for each one before it: minutes, before anything can be refused.
    (sheet as unknown as { stream: { write(text: string): void } }).stream.write('<f '.repeat(700_000));
    await workbook.commit();
    await expect(load('lotacoes', filename)).rejects.toThrow('cannot be read');
  });

  it('cannot set internal columns, nor name a column wrongly, twice or not at all', async () => {
    const path = await file('id;sigla;sigla;nom;criado_em\n1;A;A;B;2020-01-01');
    await expect(load('lotacoes', path)).rejects
      .toThrow(`Nothing was imported. The columns in row 1 of the file are wrong:
  column 1 cannot be imported
  column 4 cannot be imported
  column 5 cannot be imported
  "sigla" appears twice
  "nome" is missing
Columns of lotacoes: sigla*, nome*
  row 1, column 1: expected a column of lotacoes, found "id"
  row 1, column 4: expected a column of lotacoes, found "nom"
  row 1, column 5: expected a column of lotacoes, found "criado_em"`);
  });

  it('without a column keeps its values; an empty cell clears a value', async () => {
    await load(
      'pessoas',
      await file('usuario;nome;nome_social;email\n DOCENTE ;Caio;Cai;docente@universidade.example'),
    );
    const names = `select nome, nome_social, situacao from pessoa where usuario = 'docente'`;
    await load('pessoas', await file('usuario;nome;email\ndocente;Caio M;docente@universidade.example'));
    expect(await sql(names)).toEqual([['Cai', 'Cai', 'A']]);
    await load(
      'pessoas',
      await file('usuario;nome;nome_social;email\ndocente;Caio M;;docente@universidade.example'),
    );
    expect(await sql(names)).toEqual([['Caio M', null, 'A']]);
  });

  it("cannot take another record's unique value, nor give the same to two rows", async () => {
    const path = await file(
      'usuario;nome;email\nnovo1;N;admin@universidade.example\nnovo2;N;n@universidade.example\nnovo3;N;n@universidade.example',
    );
    await expect(load('pessoas', path)).rejects.toThrow(
      /2 problems\.\n {2}row 2, email: expected a value that no other record has.*\n {2}row 4, email: expected a value that no earlier row has/,
    );
  });

  it('cannot choose between two records with the same key', async () => {
    await sql(`insert into lotacao (sigla, nome) values ('GEM', 'Gêmea'), ('GEM', 'Gêmea')`);
    await expect(load('lotacoes', await file('sigla;nome\nGEM;Gêmea'))).rejects.toThrow(
      'row 2, sigla: expected a value that only one record has',
    );
    await expect(load('locais', await file('sigla;nome;lotacao_sigla\nG1;Laboratório;GEM'))).rejects.toThrow(
      'row 2, lotacao_sigla: expected exactly one record of lotacao',
    );
  });

  it('is imported completely or not at all, even if only the database finds the problem', async () => {
    await sql(`alter table unidade_medida add constraint only_for_test check (sigla <> 'zz2')`);
    const path = await file('sigla;descricao\nzz1;Boa\nzz2;Recusada');
    await expect(load('unidades-medida', path)).rejects.toThrow('only_for_test');
    expect(await sql(`select count(*)::int from unidade_medida where sigla = 'zz1'`)).toEqual([[0]]);
  });

  it('waits for a long write, and lets other writes pass meanwhile', async () => {
    const writer = new pg.Client({ connectionString: service().databaseUrl });
    await writer.connect();
    await writer.query('begin; update tipo_empresa set descricao = descricao where id = 1');
    let ended = false;
    const loading = load('tipos-empresa', await file('descricao\nCooperativa')).finally(() => (ended = true));
    const admin = await service().as('admin');
    const statuses = new Set<number>();
    // Longer than a request waits for a lock.
    for (const until = performance.now() + 3_000; performance.now() < until;) {
      const descricao = `Tipo ${performance.now()}`;
      statuses.add((await admin.put('/almoxarifadoquimicos/tipos-empresas/2', { descricao })).status);
    }
    expect([ended, ...statuses]).toEqual([false, 200]);
    await writer.query('commit');
    await writer.end();
    expect(await loading).toMatchObject({ created: 1 });
  });

  it('finds a record by its key whether letters and accents are written together or apart', async () => {
    const csv = (nome: string) => `sigla;nome\nÉT;${nome}`;
    expect(await load('lotacoes', await file(csv('Étnico')))).toMatchObject({ created: 1 });
    const apart = csv('Étnico mudado').normalize('NFD');
    expect(await load('lotacoes', await file(apart))).toMatchObject({ created: 0, changed: 1 });
    expect(await load('lotacoes', await file(csv('Étnico mudado')))).toMatchObject({ same: 1 });
    const place = 'sigla;nome;lotacao_sigla\nET-1;Sala;ÉT'.normalize('NFD');
    expect(await load('locais', await file(place))).toMatchObject({ created: 1 });
  });

  it('names no record with characters that nobody sees, and a cell of nothing else is empty', async () => {
    const path = await file('sigla;nome\nD\u200bQI;Química\nINV;\u200b\u3164\n');
    await expect(load('lotacoes', path)).rejects.toThrow(
      /row 2, sigla: expected at most \d+ characters, without invisible characters, found "D\u200bQI"\n {2}row 3, nome: expected a value: [^]*found nothing/,
    );
    const people = await file('usuario;nome;email\nadm\u200bin;Nova;nova\u200b@b.example');
    await expect(load('pessoas', people)).rejects.toThrow(
      /row 2, usuario: expected a user name[^]*row 2, email: /,
    );
  });

  it('may bring news', async () => {
    const path = await file(
      'link;titulo;publicada_em\nhttps://www.example.edu/1;Título;20/11/2026 08:00\nftp://x/y;T;2026-11-20',
    );
    await expect(load('noticias', path)).rejects.toThrow(
      'row 3, link: expected an address that begins with http',
    );
  });
});

describe('what can be imported', () => {
  it('may have a link in its key, and links of several columns', async () => {
    const lines = new Importable('itens-menu', ItemMenu, {
      managedBy: ['permissoes/itens-menus'],
      key: ['menu', 'nome'],
      columns: ['nome', 'menu.nome', 'menu.situacao', 'controller.nome'],
    });
    const headers = 'nome;menu_nome;menu_situacao;controller_nome';
    const importLines = (...rows: string[]) =>
      file([headers, ...rows].join('\n')).then(path => importAs(lines, path));
    const menu = 'Administração;A';
    expect(await importLines(`Sistemas;${menu};permissoes/sistemas`, `Perfis;${menu};`)).toEqual({
      created: 1,
      changed: 1,
      same: 0,
    });
    expect(
      await sql(
        `select i.nome, c.nome from item_menu i join menu m on m.id = i.id_menu left join controller c on c.id = i.id_controller
         where m.nome = 'Administração' and i.nome in ('Sistemas', 'Perfis') order by 1`,
      ),
    ).toEqual([
      ['Perfis', null],
      ['Sistemas', 'permissoes/sistemas'],
    ]);
    await expect(
      importLines('A;Administração;I;', `B;${menu};`, `B;${menu};permissoes/perfis`),
    ).rejects.toThrow(
      /row 2, menu_nome, menu_situacao: expected exactly one record of menu, found "Administração, I"\n {2}row 4, menu_nome, menu_situacao, nome: expected a value that no earlier row has/,
    );
  });

  it('is declared with columns that exist and rules that can be read', async () => {
    const all = [...(await importables()).values()];
    for (const importable of all) {
      const columns = columnsOf(service().services.orm.getMetadata(), importable);
      expect(columns.map(({ header }) => header)).not.toEqual(expect.arrayContaining(['id']));
      const properties = importable.columns.map(path => path.split('.')[0]);
      // The name in the audit trail.
      expect(`import ${importable.name}`.length).toBeLessThanOrEqual(36);
      expect(properties).toEqual(expect.arrayContaining([...importable.key]));
    }
  });

  it('stands in the documentation, with its columns', async () => {
    const docs = await readFile(new URL('../docs/importing.md', import.meta.url), 'utf8');
    const rows = [...docs.matchAll(/^\| `([\w-]+)` +\| `([^`]+)` +\|/gm)].map(([, name, columns]) => [
      name,
      columns,
    ]);
    const expected = [...(await importables()).values()].map(importable => [
      importable.name,
      describeColumns(columnsOf(service().services.orm.getMetadata(), importable)),
    ]);
    expect(rows).toEqual(expected);
  });
});
