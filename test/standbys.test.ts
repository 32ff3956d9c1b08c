import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, systemHeaders, type Answer } from './support/client.ts';
import type { FeedChange, FeedPage } from './support/changes.ts';
import { checkHistory } from './support/history.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { startService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { nextChanges, nextPage, transports } from './support/subscriptions.ts';

const materials = '/almoxarifadoquimicos/materiais';
const icons = '/almoxarifadoquimicos/icones-risco';

describe.runIf(hasPostgres())('over a primary and two standbys', () => {
  const processes = useProcesses(afterAll);
  let primary: InstalledPostgres;
  let quick: InstalledPostgres;
  let late: InstalledPostgres;
  let runs: Run[];
  let urls: string[];
  let admins: Client[];
  const servers = new Set<InstalledPostgres>();

  const started = async (starting: Promise<InstalledPostgres>): Promise<InstalledPostgres> => {
    const server = await starting;
    servers.add(server);
    return server;
  };

  beforeAll(async () => {
    await build();
    primary = await started(
      InstalledPostgres.start(await processes.dataFolder(), [
        `shared_preload_libraries = 'pg_stat_statements'`,
        // Statements of functions, too.
        `pg_stat_statements.track = 'all'`,
      ]),
    );
    await primary.create('sii');
    const url = primary.url('sii');
    await sql(url, 'create extension pg_stat_statements');
    await processes.command('seed-demo', { DATABASE_URL: url, DATA_DIR: await processes.dataFolder() })
      .exited;
    // On the same server, so at the same position of the log.
    await sql(primary.url('postgres'), 'create database copy template sii');
    await sql(primary.url('copy'), `update icone_risco set nome = 'Da cópia'`);
    quick = await started(primary.standby(await processes.dataFolder()));
    late = await started(
      primary.standby(await processes.dataFolder(), ["recovery_min_apply_delay = '300ms'"]),
    );
    runs = [1, 2].map(() =>
      processes.service({
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${quick.port},127.0.0.1:${primary.port}/sii?target_session_attrs=read-write`,
        DATABASE_READ_URLS: [quick, late].map(standby => standby.url('sii')).join(','),
        METRICS_PORT: '0',
      }),
    );
    urls = await Promise.all(runs.map(run => run.ready()));
    const anyone = new Client(urls[0]!);
    admins = await Promise.all(Array.from({ length: 6 }, () => anyone.login('admin')));
    await eventually(async () => {
      const known = await Promise.all(runs.map(lags));
      if (known.flat().length < 4) throw new Error('not all standbys are read from');
    });
  });
  afterAll(async () => {
    await Promise.all([...servers].map(server => server.stop()));
  });

  const lags = async (run: Run) =>
    (await scrape(run)).samples.filter(({ name, value }) => name === 'sii_standby_lag_seconds' && value < 1);

  const readsOn = async (server: 'primary' | 'standby'): Promise<number[]> =>
    Promise.all(runs.map(async run => valueOf((await scrape(run)).samples, 'sii_reads_total', { server })!));

  /** The same session at both processes. */
  const everywhere = ({ headers }: Client): Client[] => urls.map(url => new Client(url, headers));

  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await sql(primary.url('sii'), `alter system set default_transaction_read_only = ${value}`);
    await sql(primary.url('sii'), 'select pg_reload_conf()');
  };

  /** The connections to the primary that services open while one is asked, after they have reopened those that they left. */
  const connectionsDuring = async (ms: number, ask: () => Promise<unknown>): Promise<Set<unknown>> => {
    const opened = new Set<unknown>();
    await sleep(2_000);
    await ask();
    const [[begin]] = (await sql(primary.url('sii'), 'select now()::text')) as [[string]];
    const query = `select pid from pg_stat_activity where application_name = 'sii' and backend_start > '${begin}'`;
    for (const end = performance.now() + ms; performance.now() < end; await sleep(100)) {
      await ask();
      for (const [pid] of await sql(primary.url('sii'), query)) opened.add(pid);
    }
    return opened;
  };

  const isWritable = async (run: Run): Promise<number | undefined> =>
    valueOf((await scrape(run)).samples, 'sii_database_writable');

  const refusalOf = async (DATABASE_URL: string): Promise<string> => {
    const started = processes.service({ DATABASE_URL });
    expect((await started.exited).code).toBe(1);
    return started.stderr;
  };

  const replayed = (nome: string, standbys = [quick, late]) =>
    eventually(async () => {
      for (const standby of standbys)
        expect(
          await sql(standby.url('sii'), `select 1 from icone_risco where nome = '${nome}'`),
        ).toHaveLength(1);
    });

  it('everybody sees at least what they wrote or saw before, and most reads go to the standbys', async () => {
    const before = await readsOn('standby');
    expect(await checkHistory(urls, admins, 60)).toEqual([]);
    const after = await readsOn('standby');
    for (const [i, reads] of after.entries()) expect(reads - before[i]!).toBeGreaterThan(50);
    for (const reads of await readsOn('primary')) expect(reads).toBeGreaterThan(0);
  });

  it('what is not a standby of this database is not read from, and the log says why', async () => {
    const elsewhere = [
      quick.url('copy'),
      primary.url('sii'),
      `${late.url('sii')}?sslmode=verify-full&sslrootcert=/missing.pem`,
    ];
    const run = processes.service({
      DATABASE_URL: primary.url('sii'),
      DATABASE_READ_URLS: elsewhere.join(','),
    });
    const anyone = await run.client();
    const clients = await Promise.all(elsewhere.map(() => anyone.login('admin')));
    for (const reason of ['is another database', 'is not a standby', '/missing.pem'])
      await run.logged(reason);
    for (const client of clients)
      for (const _ of ['the primary', 'where a session reads from then on'])
        expect((await client.get(`${icons}/1`)).body.nome).not.toBe('Da cópia');
    expect(run.stderr.split('no reads go to the standby')).toHaveLength(elsewhere.length + 1);
    await run.stop();
  });

  it('no server compiles a statement, which takes much longer than to execute it', async () => {
    const counts = `select pg_jit_available(), count(*) > 0, coalesce(sum(jit_functions), 0)::int
      from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`;
    for (const server of [primary, quick, late])
      expect(await sql(server.url('sii'), counts)).toEqual([[true, true, 0]]);
  });

  it('a right that was taken away is gone at the next request', async () => {
    const clerk = await new Client(urls[0]!).login('tecnico');
    const set = (situacao: string) =>
      sql(
        primary.url('sii'),
        `update permissao set situacao = '${situacao}' where id_pessoa = (select id from pessoa where usuario = 'tecnico')`,
      );
    for (let turn = 0; turn < 5; turn++)
      for (const [situacao, status] of [
        ['I', 403],
        ['A', 200],
      ] as const) {
        await set(situacao);
        for (const client of everywhere(clerk)) expect((await client.get(`${icons}/1`)).status).toBe(status);
      }
    expect((await everywhere(clerk)[1]!.graphql('mutation { sair }')).data).toEqual({ sair: true });
    for (const client of everywhere(clerk)) expect((await client.get(`${icons}/1`)).status).toBe(401);
  });

  it('who was refused, or sent a request again, sees what the answer told', async () => {
    const types = '/almoxarifadoquimicos/tipos-empresas';
    for (const [i, admin] of admins.entries()) {
      const [first, second] = [everywhere(admin)[0]!, everywhere(admins[(i + 1) % admins.length]!)[0]!];
      const readsOnStandby = () => second.get(`${types}/1`);
      const descricao = `Vista ${performance.now()}`;
      const idempotent = { 'idempotency-key': descricao.replace(' ', '-') };
      await readsOnStandby();
      const { body } = await first.with(idempotent).post(types, { descricao });
      expect((await second.with(idempotent).post(types, { descricao })).body).toEqual(body);
      const path = `${types}/${body.id}`;
      const { status, headers } = await second.get(path);
      expect(status).toBe(200);
      const changed = { descricao: `${descricao} mudada` };
      expect((await first.put(path, changed)).status).toBe(200);
      const refused = second.with({ 'if-match': headers.get('etag')! });
      expect((await refused.put(path, { descricao })).status).toBe(412);
      expect((await second.get(path)).body).toMatchObject(changed);
    }
  });

  const setReplay = (action: 'pause' | 'resume') =>
    Promise.all([quick, late].map(standby => sql(standby.url('sii'), `select pg_wal_replay_${action}()`)));
  /** Until the standby of this session answers it. */
  const readsOnItsStandby = (client: Client) =>
    eventually(async () => {
      const [, before] = await readsOn('standby');
      expect((await client.get(`${icons}/1`)).status).toBe(200);
      const [, after] = await readsOn('standby');
      expect(after).toBeGreaterThan(before!);
    });

  it('who is told that an import is done reads what it brought, and that it is done', async () => {
    const seen: unknown[] = [];
    const rest = async (client: Client, input: { nomeArquivo: string; conteudo: string }) => {
      const { body } = await client.post('/institucional/importacoes', {
        registros: 'tipos-empresa',
        nome_arquivo: input.nomeArquivo,
        conteudo: input.conteudo,
      });
      return body as { id: number; situacao: string };
    };
    const graphql = async (client: Client, input: { nomeArquivo: string; conteudo: string }) => {
      const { data } = await client.graphql(
        'mutation ($input: ImportacaoInput!) { importar(input: $input) { id situacao } }',
        { input: { registros: 'tipos-empresa', ...input } },
      );
      return { ...data.importar, situacao: data.importar.situacao.toLowerCase() };
    };
    for (const [i, admin] of admins.entries()) {
      const [first, second] = everywhere(admin) as [Client, Client];
      // Where the import takes longer than its request waits, the answer says only that it has begun.
      await eventually(async () => {
        await readsOnItsStandby(second);
        const descricao = `Importado ${performance.now()}`;
        const nomeArquivo = `${descricao}.csv`;
        const conteudo = Buffer.from(`descricao;obriga_cnpj\n${descricao};N`).toString('base64');
        // The import waits for a writer of the table, so that its record reaches the standbys before its rows are committed.
        const writer = new pg.Client({ connectionString: primary.url('sii') });
        await writer.connect();
        try {
          await writer.query('begin');
          await writer.query('lock table tipo_empresa in row exclusive mode');
          const imported = (i % 2 === 0 ? rest : graphql)(first, { nomeArquivo, conteudo });
          await eventually(async () => {
            for (const standby of [quick, late])
              expect(
                await sql(
                  standby.url('sii'),
                  `select 1 from importacao where nome_arquivo = '${nomeArquivo}'`,
                ),
              ).toHaveLength(1);
          });
          await setReplay('pause');
          await writer.query('commit');
          const { id, situacao } = await imported;
          expect(situacao).toBe('concluida');
          const { body } = await second.get('/almoxarifadoquimicos/tipos-empresas?pagination=false');
          const all: { descricao: string }[] = body.data ?? body;
          const told = await second.get(`/institucional/importacoes/${id}`);
          seen.push([all.some(one => one.descricao === descricao), told.body.situacao]);
        } finally {
          await setReplay('resume');
          await writer.end();
        }
      });
    }
    expect(seen).toEqual(admins.map(() => [true, 'concluida']));
  });

  it('who is told by the side menu how many alerts are open finds them in the list', async () => {
    const minimum = (idMaterial: number, idLocal: number) =>
      sql(
        primary.url('sii'),
        `insert into estoque_minimo (id_material, id_local, quantidade) values (${idMaterial}, ${idLocal}, 987654)`,
      );
    const [materials, [place]] = await Promise.all([
      sql(
        primary.url('sii'),
        `select id from material where id not in (select id_material from estoque_minimo) order by id limit ${admins.length}`,
      ),
      sql(primary.url('sii'), 'select min(id) from local'),
    ]);
    const told = async (client: Client): Promise<number> => {
      const { body } = await client.get('/permissoes/menu_lateral');
      const lines: { nome: string; alertas: number | null }[] = body.data.flatMap(({ itens }: any) => itens);
      const line = lines.find(({ nome }) => nome === 'Alertas');
      expect(line, JSON.stringify(lines)).toBeDefined();
      return line!.alertas!;
    };
    const open = async (client: Client): Promise<number> =>
      (await client.graphql('{ alertas(filter: { aberto: { eq: true } }) { total } }')).data.alertas.total;
    const keepers = await Promise.all(admins.map(() => new Client(urls[0]!).login('almoxarife')));
    for (const [i, keeper] of keepers.entries()) {
      const [, second] = everywhere(keeper) as [Client, Client];
      await readsOnItsStandby(second);
      await setReplay('pause');
      try {
        const before = await told(second);
        await minimum(materials[i]![0] as number, place![0] as number);
        const counted = await told(second);
        expect(counted).toBe(before + 1);
        expect(await open(second)).toBe(counted);
      } finally {
        await setReplay('resume');
      }
    }
  });

  /** Each follows the changes of icons, and returns a function that waits for the next ones. */
  const feeds: Record<string, (client: Client) => Promise<() => Promise<FeedChange[]>>> = {
    'a page of the feed': async client => {
      let after: string = (await client.get('/mudancas')).body.ultimo;
      return async () => {
        const { body } = await client.get(`/mudancas?tabelas=icone_risco&after=${after}`);
        after = body.cursor;
        return body.data;
      };
    },
    ...Object.fromEntries(
      Object.entries(transports).map(([name, subscribe]) => [
        name,
        async (client: Client) => {
          const subscription = subscribe(client, { tabelas: ['icone_risco'] });
          await nextPage(subscription);
          return () => nextChanges(subscription, 1);
        },
      ]),
    ),
  };
  it.each(Object.entries(feeds))('who learns of a change by %s reads it afterwards', async (_, follow) => {
    for (const [i, admin] of admins.entries()) {
      const [writer, follower] = [everywhere(admins[(i + 1) % admins.length]!)[0]!, everywhere(admin)[1]!];
      const { body } = await writer.post(icons, { nome: `Antes ${performance.now()}` });
      const path = `${icons}/${body.id}`;
      const learns = await follow(follower);
      await eventually(async () => {
        const [, before] = await readsOn('standby');
        expect((await follower.get(path)).status).toBe(200);
        const [, after] = await readsOn('standby');
        expect(after).toBeGreaterThan(before!);
      });
      const changed = { nome: `Depois ${performance.now()}` };
      await writer.put(path, changed);
      const isSeen = ({ tipo, registro }: FeedChange) =>
        tipo === 'icone_risco.alterado' && registro.id === body.id;
      while (!(await learns()).some(isSeen));
      expect((await follower.get(path)).body).toMatchObject(changed);
    }
  });

  /** A page of a table without changes. */
  const emptyPage = async (client: Client, after = ''): Promise<FeedPage> =>
    (await client.get(`/mudancas?tabelas=webhook${after && `&after=${after}`}`)).body;
  /** Each prepares, and returns a function that gets a page without changes. */
  const beginnings: Record<string, (client: Client) => Promise<() => Promise<FeedPage>>> = {
    'a page without changes': async client => () => emptyPage(client),
    'a page without changes after a cursor': async client => {
      const { cursor } = await emptyPage(client);
      return () => emptyPage(client, cursor);
    },
    ...Object.fromEntries(
      Object.entries(transports).map(([name, subscribe]) => [
        name,
        async (client: Client) => () => nextPage(subscribe(client, { tabelas: ['icone_risco'] })),
      ]),
    ),
  };
  it.each(Object.entries(beginnings))(
    'who gets a cursor by %s finds in the lists what was written before',
    async (_, prepare) => {
      for (const [i, admin] of admins.entries()) {
        const [writer, follower] = [everywhere(admins[(i + 1) % admins.length]!)[0]!, everywhere(admin)[1]!];
        const begin = await prepare(follower);
        await eventually(async () => {
          const [, before] = await readsOn('standby');
          expect((await follower.get(`${icons}/1`)).status).toBe(200);
          const [, after] = await readsOn('standby');
          expect(after).toBeGreaterThan(before!);
        });
        const { body } = await writer.post(icons, { nome: `Antes do cursor ${performance.now()}` });
        expect((await begin()).data).toEqual([]);
        expect((await follower.get(`${icons}/${body.id}`)).status).toBe(200);
      }
    },
  );

  it('an export has what its reader wrote', async () => {
    for (const admin of admins) {
      const [first, second] = everywhere(admin) as [Client, Client];
      const titulo = `Exportado ${performance.now()}`;
      const material = {
        titulo,
        descricao: 'D',
        id_unidade_medida: 1,
        estado_fisico: 'L',
        criado_por: 1,
        alterado_por: 1,
      };
      expect((await first.post(materials, material)).status).toBe(201);
      const { status, body } = await second.get(`${materials}?export=true`);
      expect(status).toBe(200);
      expect(String(body).includes(titulo)).toBe(true);
    }
  });

  it('a total counted on a standby is counted again when a transaction commits that was open then', async () => {
    const writer = new pg.Client({ connectionString: primary.url('sii') });
    await writer.connect();
    await writer.query('begin');
    await writer.query(`insert into icone_risco (nome) values ('Ainda aberto')`);
    // A transaction that is younger and already over.
    await sql(primary.url('sii'), `insert into icone_risco (nome) values ('Outro')`);
    await replayed('Outro');
    const total = '{ iconesRisco(pagination: true, itemsPerPage: 1) { total data { id } } }';
    const totals = (): Promise<number[]> =>
      Promise.all(admins.map(async admin => (await admin.graphql(total)).data.iconesRisco.total as number));
    const before = await totals();
    expect(await totals()).toEqual(before);
    await writer.query('commit');
    await writer.end();
    await replayed('Ainda aberto');
    expect(await totals()).toEqual(before.map(count => count + 1));
  });

  it('reads go on when the connections to a standby are lost', async () => {
    const clients = admins.flatMap(everywhere);
    let isOver = false;
    const reading = Promise.all(
      clients.map(async client => {
        while (!isOver)
          expect((await client.get(`${icons}?itemsPerPage=50&pagination=true`)).status).toBe(200);
      }),
    );
    for (let turn = 0; turn < 5; turn++)
      await sql(
        quick.url('sii'),
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sii'`,
      );
    isOver = true;
    await reading;
  });

  it('a read that a standby cancels to follow the primary is answered by the primary', async () => {
    const onPrimary = (statement: string) => sql(primary.url('sii'), statement);
    const onQuick = async (query: string): Promise<unknown> => (await sql(quick.url('sii'), query))[0]![0];
    const setDelay = async (value: string): Promise<void> => {
      await sql(quick.url('sii'), `alter system set max_standby_streaming_delay = ${value}`);
      await sql(quick.url('sii'), 'select pg_reload_conf()');
    };
    const cancelled = () =>
      onQuick(
        'select confl_snapshot::int from pg_stat_database_conflicts where datname = current_database()',
      );
    await setDelay(`'20ms'`);
    // Sessions that have read are read for on a standby.
    await Promise.all(admins.map(admin => admin.get(`${icons}/1`)));
    // On this standby the table takes longer to read than anybody waits.
    await onPrimary('alter table icone_risco rename to icones');
    await onPrimary(`create view icone_risco as select * from icones
      where current_setting('port') <> '${quick.port}' or pg_sleep(600)::text is null`);
    try {
      await eventually(async () =>
        expect(await onQuick(`select count(*)::int from pg_views where viewname = 'icone_risco'`)).toBe(1),
      );
      const before = (await cancelled()) as number;
      let isRead = false;
      const readAll = async (): Promise<Answer[]> => {
        isRead = false;
        const answers = await Promise.all(admins.map(admin => admin.get(`${icons}/1`)));
        isRead = true;
        return answers;
      };
      let reading = readAll();
      await eventually(async () => {
        // While the standby lags, the primary answers.
        if (isRead) reading = readAll();
        expect(
          await onQuick(`select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'`),
        ).toBeGreaterThan(0);
      });
      // Vacuum leaves what a transaction that still runs may see. It cancels only reads that have begun.
      await eventually(async () => {
        await onPrimary('update unidade_medida set sigla = sigla where id = 1');
        await onPrimary('vacuum unidade_medida');
        expect(isRead).toBe(true);
      });
      await reading;
      expect(await cancelled()).toBeGreaterThan(before);
      for (const { status, body } of await reading) {
        expect(status).toBe(200);
        expect(body.id).toBe(1);
      }
    } finally {
      await onPrimary('drop view icone_risco');
      await onPrimary('alter table icones rename to icone_risco');
      await setDelay('default');
    }
  });

  it('no service starts on a standby alone, and says why', async () => {
    expect(await refusalOf(quick.url('sii'))).toBe(
      'The database is read-only: its server is a standby. Point DATABASE_URL at the primary.\n',
    );
  });

  it('a database that becomes read-only is read from, and writes get 503', async () => {
    const run = processes.service({ DATABASE_URL: primary.url('sii'), METRICS_PORT: '0' });
    const admin = new Client(await run.ready(), admins[0]!.headers);
    expect(await isWritable(run)).toBe(1);
    await admin.with(systemHeaders).post('/auth/login', { username: 'admin', password: 'wrong' });
    await sql(primary.url('sii'), `update chave_api set ultimo_uso = now() - interval '1 day'`);
    // Its change is not numbered yet, unless that was just due.
    expect((await admin.post(icons, { nome: 'Antes da leitura' })).status).toBe(201);
    await setReadOnly('on');
    try {
      const ready = await eventually(async () => {
        const answer = await admin.get('/readyz');
        expect(answer.body.database).toBe('read-only');
        return answer;
      });
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } });
      expect(await isWritable(run)).toBe(0);
      await run.logged('the database is read-only');
      expect((await admin.get(`${icons}/1`)).status).toBe(200);
      expect((await admin.graphql('{ iconeRisco(id: 1) { nome } }')).errors).toBeUndefined();
      const infos = '/arquivosdigitais/arquivos-digitais?apenasInformacao=true';
      // Reads that usually write something besides: when a key was used, and what was refused.
      expect((await admin.with(systemHeaders).get(infos)).status).toBe(200);
      expect((await admin.graphql('{ trilhaAuditoria { total } }')).errors).toBeUndefined();
      expect((await admin.get('/mudancas?first=1')).status).toBe(200);
      const login = { username: 'admin', password: 'demo-admin-2026' };
      for (const answer of [
        await admin.post(icons, { nome: 'x' }),
        await admin.delete(`${icons}/1`),
        await admin.with(systemHeaders).post('/auth/login', login),
      ]) {
        expectProblem(answer, 503, 'UNAVAILABLE');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.body.detail).toContain('não aceita alterações');
      }
      const { errors } = await admin.graphql('mutation { criarIconeRisco(input: { nome: "x" }) { id } }');
      expect(errors![0]!.extensions).toMatchObject({ code: 'UNAVAILABLE', retryAfter: expect.any(Number) });
      expect(await refusalOf(primary.url('sii'))).toContain('default_transaction_read_only is on');
      expect((await connectionsDuring(8_000, () => admin.get(`${icons}/1`))).size).toBeLessThan(5);
    } finally {
      await setReadOnly('off');
    }
    await eventually(async () => expect((await admin.post(icons, { nome: 'Escrito' })).status).toBe(201));
    expect((await admin.get('/readyz')).body.database).toBe('ok');
    await run.logged('the database accepts writes again');
  });

  it('the first write follows a host name that leads to another primary', async () => {
    let target = primary.port;
    const name = createServer(client => {
      const server = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one
          .pipe(other)
          .on('error', () => one.destroy())
          .on('close', () => one.destroy());
      client.on('error', () => server.destroy());
    }).listen(0, '127.0.0.1');
    await once(name, 'listening');
    const databaseUrl = `postgresql://postgres@127.0.0.1:${(name.address() as AddressInfo).port}/sii`;
    const service = await startService({}, { databaseUrl });
    try {
      const admin = await service.as('admin');
      await late.promote();
      await setReadOnly('on');
      target = late.port;
      const { status, body } = await eventually(async () => {
        const answer = await admin.post(icons, { nome: 'No novo primário' });
        expect(answer.status).toBe(201);
        return answer;
      });
      expect(status).toBe(201);
      expect(await sql(late.url('sii'), `select nome from icone_risco where id = ${body.id}`)).toEqual([
        ['No novo primário'],
      ]);
    } finally {
      await service.stop();
      name.close();
      await setReadOnly('off');
    }
  });

  it('an old primary that accepts writes beside the promoted standby is not used, and the log says so', async () => {
    const hosts = [primary, late].map(({ port }) => `127.0.0.1:${port}`);
    for (const order of [hosts, hosts.toReversed()]) {
      const run = processes.service({
        DATABASE_URL: `postgresql://postgres@${order.join(',')}/sii?target_session_attrs=read-write`,
      });
      const admin = await (await run.client()).login('admin');
      const { status, body } = await admin.post(icons, { nome: `No promovido ${order.join()}` });
      expect(status).toBe(201);
      expect(await sql(late.url('sii'), `select nome from icone_risco where id = ${body.id}`)).toEqual([
        [body.nome],
      ]);
      await run.logged('further servers of DATABASE_URL accept writes');
      expect(run.stderr).toContain(`"rivals":["127.0.0.1:${primary.port}"]`);
      await run.stop();
    }
  });

  it('the primary is found among several hosts, and the next primary when it is lost', async () => {
    const [admin] = everywhere(admins[0]!) as [Client];
    const { body } = await admin.post(icons, { nome: 'Antes' });
    await replayed('Antes', [quick]);
    await primary.stop();
    servers.delete(primary);
    await quick.promote();
    for (const client of everywhere(admin)) {
      await eventually(async () =>
        expect((await client.put(`${icons}/${body.id}`, { nome: 'Depois' })).status).toBe(200),
      );
      expect((await client.get(`${icons}/${body.id}`)).body.nome).toBe('Depois');
      expect((await client.get('/readyz')).body.database).toBe('ok');
    }
  });
});
