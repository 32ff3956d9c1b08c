import { randomUUID } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { describe, expect, it } from 'vitest';
import { databaseTexts } from '../src/database/messages.ts';
import { takeDeliveries } from '../src/webhooks/queue.ts';
import { makeMaterial } from './support/make.ts';
import { readBy, type PlanNode } from './support/plan.ts';
import { startService, useService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { readThrough, statementsDuring, statementsOn } from './support/statements.ts';

const service = useService();

const statementsOf = (query: string) => statementsOn(service(), query);

/** How often a plan reads the rows of alerts, of which each kind has a SELECT, for each place where it reads them. */
function rowsOf(node: PlanNode, parent?: PlanNode): string[] {
  const isInner = parent?.['Node Type'] === 'Nested Loop' && node['Parent Relationship'] === 'Inner';
  if (node['Node Type'] === 'Append') return [isInner ? 'for each row' : 'once'];
  return (node.Plans ?? []).flatMap(below => rowsOf(below, node));
}

/** How many rows of a table PostgreSQL expects to match, for each place where it reads the table. */
const expectedOf = (node: PlanNode, alias: string): number[] =>
  node.Alias === alias ? [node['Plan Rows']] : (node.Plans ?? []).flatMap(below => expectedOf(below, alias));

async function planOf(statement: string, settings: string): Promise<PlanNode> {
  const text = `${settings}; explain (generic_plan, format json) ${statement}`;
  const [[[{ Plan }]]] = (await sql(service().databaseUrl, text)) as [[[{ Plan: PlanNode }]]];
  return Plan;
}

describe('a report', () => {
  it('finds the keys of a page first, and filters without regard to their order', async () => {
    const { statements } = await statementsOf(
      '{ saidaMateriais(operacao: "saida", orderByTitulo: asc) { data { titulo fabricante dtEntrada } } }',
    );
    const [, keys] = statements[0]!.split('= any(array(');
    expect(keys).toMatch(/^select t."id" from \(select t\.\* from .* offset 0\) t order by .* limit 10\)\)/s);
    const all = await statementsOf('{ saidaMateriais { data { titulo } } }');
    expect(all.statements[0]).not.toContain('offset 0');
  });

  it('with a shared part finds and counts all keys before it orders them, even without a filter', async () => {
    for (const limit of ['itemsPerPage: 1', 'itemsPerPage: 1, page: 2']) {
      const { statements } = await statementsOf(
        `{ planosSituacaoTempo(${limit}) { total data { codigoDisciplina } } }`,
      );
      expect(statements[0]).toMatch(
        /count\(\*\) over \(\) total from \(select t\.\* from .* offset 0\) t order by/s,
      );
    }
  });

  it('computes its rows once, although PostgreSQL does not know how few linked records a text is in', async () => {
    const { statements } = await statementsOf(
      '{ alertas(filter: { local: { nome: { contains: "a" } } }) { data { id } } }',
    );
    const plan = await planOf(statements[0]!, 'set enable_hashjoin = off; set enable_mergejoin = off');
    expect(rowsOf(plan)).toEqual(['once', 'once']);
  });

  it.each(['contains', 'startsWith'])(
    'does not expect a joined table to have almost no row with a text, and so is not computed for each: %s',
    async is => {
      const { statements } = await statementsOf(
        `{ movimentacoesMateriaisControlados(filter: { responsavel: { ${is}: "a" } }) { data { id } } }`,
      );
      const plan = await planOf(statements[0]!, 'analyze "local"; set enable_nestloop = off');
      const [[rows]] = (await service().sql('select count(*)::int from local')) as [[number]];
      expect(expectedOf(plan, 'r')[0]).toBe(Math.round(rows / 3));
    },
  );
});

describe('a list', () => {
  it('reads only the requested columns', async () => {
    const { statements } = await statementsOf('{ materiais { data { id titulo } } }');
    expect(statements).toEqual([
      'select t."id" c0, t."titulo" c1 from "material" t order by t."id" limit 10',
    ]);
  });

  it('with many joined tables is planned quickly, because PostgreSQL compares few orders of joining', async () => {
    const { get } = await service().as('admin');
    const path = '/almoxarifadoquimicos/movimentacoes-estoque?pagination=true';
    const { statements } = await statementsDuring(service(), () => get(path));
    const widest = statements.toSorted((a, b) => b.length - a.length)[0]!;
    expect(widest.match(/join/g)!.length).toBeGreaterThan(20);
    const plan = await service().sql(`explain (memory, generic_plan) ${widest}`);
    // It is 27,614 with PostgreSQL's own setting.
    const [, kilobytes] = /Memory: used=(\d+)kB/.exec(plan.join('\n'))!;
    expect(Number(kilobytes)).toBeLessThan(10_000);
  });

  it('in the order of linked records finds the keys of a page before it joins what the page shows', async () => {
    const { get } = await service().as('admin');
    const path = '/almoxarifadoquimicos/movimentacoes-estoque?pagination=true&orderByStatus=desc';
    const { statements } = await statementsDuring(service(), () => get(path));
    const [, keys, rest] = /from \((select t."id" from .*? limit 10)\) k join (.*)/s.exec(statements[0]!)!;
    expect(keys!.match(/join/g)).toHaveLength(1);
    expect(rest!.match(/join/g)!.length).toBeGreaterThan(20);
  });

  it.each(['every: { observacao: { contains: "a" } }', 'none: { not: { observacao: { contains: "a" } } }'])(
    'with linked records that may miss a condition, as in %s, looks these up by their key',
    async tramitacoes => {
      const { statements } = await statementsOf(
        `{ planosEnsino(filter: { tramitacoes: { ${tramitacoes} } }) { data { id } } }`,
      );
      const rows = await sql(
        service().databaseUrl,
        `set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off;
        set plan_cache_mode = force_custom_plan; prepare missing as ${statements[0]}; explain execute missing('a')`,
      );
      const plan = rows.join('\n');
      expect(plan).toMatch(/tramitacao_plano_id_plano_ensino_index/);
      expect(plan).not.toMatch(/Materialize/);
    },
  );

  it('joins a link only if one of its fields is requested, and only once', async () => {
    const key = await statementsOf('{ materiais { data { idUnidadeMedida } } }');
    expect(key.statements[0]).not.toContain('join');
    const both = await statementsOf(
      '{ materiais(orderByUnidadeMedida: asc) { data { unidadeMedida { sigla descricao } } } }',
    );
    expect(both.statements[0]!.match(/join/g)).toHaveLength(1);
  });

  it('reads a to-many field of all its rows in one statement, and a nested one in one more', async () => {
    await makeMaterial(service(), { titulo: 'Com riscos A', riscos: 3 });
    await makeMaterial(service(), { titulo: 'Com riscos B', riscos: 2 });
    await makeMaterial(service(), { titulo: 'Com riscos C' });
    const { statements, data } = await statementsOf(
      '{ materiais(titulo: "com riscos", orderByTitulo: asc) { data { titulo riscos { id material { titulo riscos { id } } } } } }',
    );
    expect(statements).toHaveLength(3);
    expect(data.materiais.data.map((m: any) => [m.titulo, m.riscos.length])).toEqual([
      ['Com riscos A', 3],
      ['Com riscos B', 2],
      ['Com riscos C', 0],
    ]);
    for (const material of data.materiais.data) {
      for (const risco of material.riscos) {
        expect(risco.material).toEqual({
          titulo: material.titulo,
          riscos: material.riscos.map((r: any) => ({ id: r.id })),
        });
      }
    }
  });

  it('reads no row if only the total is requested, and counts without joins', async () => {
    const { statements } = await statementsOf('{ materiais(orderByUnidadeMedida: desc) { total } }');
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(
      /^select \(select count\(\*\) from "material" t\) c0, .*\bpg_current_snapshot\(\)/s,
    );
    expect(statements[0]).not.toContain('join');
  });

  it('takes the total from a last page that is not full', async () => {
    await makeMaterial(service(), { titulo: 'Último da lista' });
    const { statements, data } = await statementsOf(
      '{ materiais(titulo: "ultimo da lista", pagination: true) { total data { id } } }',
    );
    expect(data.materiais.total).toBe(1);
    expect(statements).toHaveLength(1);
  });

  it('writes the usual page sizes into the statement, so that PostgreSQL keeps its plan', async () => {
    const { statements } = await statementsOf(
      '{ a: materiais(pagination: true, itemsPerPage: 20) { data { id } } b: materiais(pagination: true, itemsPerPage: 7, page: 2) { data { id } } }',
    );
    expect(statements.map(text => /limit \S+( offset \S+\))?/.exec(text)![0])).toEqual([
      'limit 20',
      'limit $1 offset $2)',
    ]);
  });

  it('finds the rows before a page by their keys alone, which an index has', async () => {
    const { statements } = await statementsOf(
      '{ materiais(page: 2, orderByTitulo: asc) { data { id descricao } } }',
    );
    expect(statements.join()).toMatch(
      /from \(select t\."id" from "material" t order by [^()]* offset \$1\) k join/,
    );
  });

  const keysFirst = /from \((select t\."id" from [^()]*(?:\(.*?\))?[^()]* offset \$\d)\) k join (.*)/s;
  const joins = (text: string): number => text.match(/join/g)?.length ?? 0;

  it('joins what a page shows to the rows of that page only, also with filters', async () => {
    const { get } = await service().as('admin');
    const path = '/almoxarifadoquimicos/movimentacoes-estoque?pagination=true&page=2&status=2';
    const { statements, answer } = await statementsDuring(service(), () => get(path));
    const [, keys, rest] = keysFirst.exec(statements[0]!)!;
    expect(joins(keys!)).toBe(0);
    expect(joins(rest!)).toBeGreaterThan(20);
    const all = await get(
      '/almoxarifadoquimicos/movimentacoes-estoque?pagination=true&itemsPerPage=20&status=2',
    );
    expect(answer.body.data).toEqual(all.body.data.slice(10));
    expect(answer.body.data.length).toBeGreaterThan(0);
  });

  it('joins to the rows before a page only what its filters and its order compare', async () => {
    const asked = (page: string) =>
      `{ movimentacoesEstoque(${page}, filter: { lote: { material: { idUnidadeMedida: { gt: 0 } } } }, orderBy: [{ quantidade: desc }]) {
        data { id lote { material { unidadeMedida { sigla } } } localOrigemFim { nome } }
      } }`;
    const { statements, data } = await statementsOf(asked('page: 2'));
    const [, keys, rest] = keysFirst.exec(statements[0]!)!;
    expect(joins(keys!)).toBe(2);
    expect(joins(rest!)).toBe(4);
    const all = await statementsOf(asked('itemsPerPage: 20'));
    expect(data.movimentacoesEstoque.data).toEqual(all.data.movimentacoesEstoque.data.slice(10));
    expect(data.movimentacoesEstoque.data.length).toBeGreaterThan(0);
  });

  it('of linked records joins what their page shows to the rows of that page only', async () => {
    const asked = (page: string) =>
      `{ materiais(filter: { lotes: { some: {} } }) { data { lotes(${page}, filter: { codLote: { ne: "x" } }) { data {
        id material { titulo } fabricante { nome }
      } } } } }`;
    const { statements, data } = await statementsOf(asked('page: 2, itemsPerPage: 1'));
    const [, keys, rest] = keysFirst.exec(statements.find(text => text.includes('lateral'))!)!;
    expect(joins(keys!)).toBe(0);
    expect(joins(rest!)).toBe(2);
    const all = await statementsOf(asked('itemsPerPage: 10'));
    const seconds = all.data.materiais.data.map(({ lotes }: any) => lotes.data.slice(1, 2));
    expect(data.materiais.data.map(({ lotes }: any) => lotes.data)).toEqual(seconds);
    expect(seconds.flat().length).toBeGreaterThan(0);
  });

  it('is refused if it is unpaginated and too long, and the error says what to do', async () => {
    const { limits } = service().services.listing;
    const before = limits.unpaginatedRows;
    limits.unpaginatedRows = 5;
    try {
      const answer = await (await service().as('admin')).get('/almoxarifadoquimicos/materiais');
      expect(answer.status).toBe(422);
      expect(answer.body.code).toBe('RESULT_TOO_LARGE');
      expect(answer.body.detail).toMatch(/pagination.*export/);
      expect(
        (await (await service().as('admin')).get('/almoxarifadoquimicos/materiais?titulo=acetona')).status,
      ).toBe(200);
    } finally {
      limits.unpaginatedRows = before;
    }
  });
});

describe('a single read', () => {
  it('is one statement by the key', async () => {
    const { statements } = await statementsOf('{ material(id: 1) { titulo unidadeMedida { sigla } } }');
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('where t."id" = $1');
  });
});

describe('a statement', () => {
  it('is prepared once on a connection, whatever the values', async () => {
    const admin = await service().as('admin');
    for (const titulo of ['acido', 'acetona', 'etanol'])
      await admin.graphql(`{ materiais(titulo: "${titulo}") { data { id catmat } } }`);
    // Runs on every connection at the same time, because each has its own prepared statements.
    const prepared = await Promise.all(
      Array.from({ length: service().services.config.DATABASE_POOL }, () =>
        service().sql(
          `select count(*)::int, pg_sleep(0.1) from pg_prepared_statements where statement like '%"catmat" c1%' and statement like '%contains_pattern%' and statement not like '%pg_prepared%'`,
        ),
      ),
    );
    expect(Math.max(...prepared.map(([row]) => row![0] as number))).toBe(1);
  });
});

describe('a statement that does not end in time', () => {
  it('is answered with 503, and says that narrower filters help', async () => {
    const hurried = await startService({ STATEMENT_TIMEOUT_MS: '300' }, service());
    const admin = await hurried.as('admin');
    const lock = service().services.orm.em.fork();
    await lock.begin();
    try {
      await lock.execute('lock table icone_risco in access exclusive mode');
      const { status, headers, body } = await admin.get('/almoxarifadoquimicos/icones-risco');
      expect([status, body.code, body.detail]).toEqual([503, 'UNAVAILABLE', databaseTexts.tookTooLong.pt]);
      expect(headers.get('retry-after')).toBeTruthy();
    } finally {
      await lock.rollback();
      await hurried.stop();
    }
  });
});

describe('the queue of webhooks', () => {
  it('reads each waiting delivery once, also before PostgreSQL has any statistics of them', async () => {
    const waiting = 1_000;
    await service().sql(`with made as (
      insert into webhook (id_pessoa, url, eventos) values (1, 'https://painel.universidade.example', '["lote.criado"]') returning id
    ), progress as (
      insert into andamento_webhook (id_webhook, segredo, cursor) select id, '', '' from made
    )
    insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
    select id, 'lote.criado', 'lote', n, '{}' from made, generate_series(1, ${waiting}) n`);
    const asked: [text: string, values: readonly unknown[]][] = [];
    const rows = async (...statement: [string, readonly unknown[]]): Promise<unknown[][]> => {
      asked.push(statement);
      return service().sql(...(statement as [string, unknown[]]));
    };
    const take = (): Promise<unknown[]> =>
      takeDeliveries({ rows }, randomUUID(), { all: 16, each: 4, own: new Map() });
    expect(await take()).toHaveLength(4);
    const [[text, values]] = asked as [(typeof asked)[number]];
    const [[[{ Plan }]]] = (await service().sql(`explain (analyze, timing off, format json) ${text}`, [
      ...values,
    ])) as [[[{ Plan: PlanNode }]]];
    expect(readBy(Plan)).toBeGreaterThan(waiting);
    expect(readBy(Plan)).toBeLessThan(10 * waiting);
  });
});

describe('the audit trail', () => {
  const indexesOf = (node: PlanNode): string[] => [
    ...(node['Index Name'] === undefined ? [] : [node['Index Name']]),
    ...(node.Plans ?? []).flatMap(indexesOf),
  ];

  it('finds what a request wrote by an index, in each of its months', async () => {
    const { statements } = await statementsOf(
      '{ trilhaAuditoria(filter: { requisicao: { eq: "a" } }) { data { id } } }',
    );
    const plan = await planOf(statements.at(-1)!, 'set enable_seqscan = off; set enable_bitmapscan = off');
    const used = indexesOf(plan).filter(name => name.includes('requisicao'));
    const [[months]] = (await service().sql(
      "select count(*)::int from pg_inherits where inhparent = 'auditoria'::regclass",
    )) as [[number]];
    expect(used).toContain('auditoria_antes_requisicao');
    expect(used).toHaveLength(months + 1);
  });

  it.each([
    ['LOGIN_RECUSADO', '2101-01-01'],
    ['ACESSO_RECUSADO', '2102-01-01'],
  ])(
    'finds %s by an index of refusals, in each of its months, also later ones, whatever plan PostgreSQL keeps',
    async (operation, later) => {
      await service().sql(`select auditoria_criar_mes('${later}')`);
      const { statements } = await statementsOf(
        `{ trilhaAuditoria(operacao: ${operation}) { total data { id momento } } }`,
      );
      const plan = await planOf(statements.at(-1)!, 'set enable_seqscan = off; set enable_bitmapscan = off');
      const indexes = (await service().sql(
        "select indexrelid::regclass::text from pg_index where pg_get_expr(indpred, indrelid) like '%login_recusado%'",
      )) as [string][];
      const used = new Set(indexesOf(plan));
      const [[months]] = (await service().sql(
        "select count(*)::int from pg_inherits where inhparent = 'auditoria'::regclass",
      )) as [[number]];
      expect(indexes.filter(([name]) => used.has(name))).toHaveLength(months + 1);
    },
  );
});

describe('a dismissal', () => {
  it('compares no account with the others, however many the person holds', async () => {
    const held = 1_000;
    await service().sql(`with people as (
      insert into pessoa (usuario, nome, nome_civil, email)
      select 'titular' || n, 'T' || n, 'T' || n, 'titular' || n || '@universidade.example' from generate_series(0, ${held}) n
      returning id, substr(nome, 2)::int n
    ), accounts as (
      insert into conta_gerencial (email, nome) select 'conta' || n || '@universidade.example', 'C' || n
      from generate_series(1, ${held}) n returning id, substr(nome, 2)::int n
    )
    insert into responsavel_conta (id_conta, id_pessoa)
    select a.id, p.id from accounts a join people p on p.n in (0, a.n)`);
    await sql(service().databaseUrl, 'analyze pessoa, conta_gerencial, responsavel_conta');
    const plans: PlanNode[] = [];
    const restore = readThrough(service(), async (read, ...asked) => {
      const [text, values] = asked;
      if (text.includes('from responsavel_conta')) {
        const explained = await read(`explain (analyze, timing off, format json) ${text}`, values);
        plans.push((explained as [[[{ Plan: PlanNode }]]])[0][0][0].Plan);
      }
      return read(...asked);
    });
    const admin = await service().as('admin');
    const [[id]] = (await service().sql("select id from pessoa where usuario = 'titular0'")) as [[number]];
    const answer = await admin.delete(`/permissoes/pessoas/${id}`).finally(restore);
    expect([answer.status, answer.body.contas_gerenciais.length]).toEqual([200, held]);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) expect(readBy(plan)).toBeLessThan(20 * held);
  });
});

describe('a function that forbids plans', () => {
  it('is not compiled, also on connections of earlier versions and of other programs', async () => {
    const forbidding = `array_to_string(proconfig, ' ') ~ 'enable_'`;
    const compiled = `select proname, proconfig && '{jit=off}' from pg_proc where ${forbidding} order by 1`;
    expect(await service().sql(compiled)).toEqual([
      ['acertar_tentativa', true],
      ['auditar', true],
      ['reservar_tentativa', true],
    ]);
  });
});

describe('the feed of changes', () => {
  /** Pages of tables and indexes that a plan reads. */
  const pagesRead = (plan: Record<string, unknown>): number =>
    Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);

  it.each([
    ['all tables', ''],
    ['one table', '?tabelas=unidade_medida'],
  ])('reads of each transaction only what it shows, whatever else the month has: %s', async (_of, query) => {
    const imported = 40_000;
    const alone = 100;
    await service().sql(`insert into unidade_medida (descricao, sigla)
      select 'importada ' || n || '${query}', n || '${query.length}' from generate_series(1, ${imported}) n`);
    // As after an import: autovacuum comes again when the trail has grown by a tenth.
    await sql(service().databaseUrl, 'analyze auditoria');
    for (let n = 0; n < alone; n++) {
      await service().sql(`update unidade_medida set descricao = descricao || '.' where id = ${1 + (n % 5)}`);
    }
    await sql(service().databaseUrl, 'select numerar_mudancas()');
    const admin = await service().as('admin');
    const asked: [text: string, values: readonly unknown[]][] = [];
    const restore = readThrough(service(), (read, ...one) => (asked.push([one[0], one[1]]), read(...one)));
    const { body } = await admin.get(`/mudancas${query}`).finally(restore);
    expect(body.data.length).toBeGreaterThan(0);
    const at = asked.findIndex(([text]) => text.includes('historia_mudancas'));
    const [[settings], [text, values]] = [asked[at - 1]!, asked[at]!];
    const literals = values.map(value =>
      Array.isArray(value) ? `'{${value.join()}}'` : value === null ? 'null' : escapeLiteral(String(value)),
    );
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const explained = await sql(
        service().databaseUrl,
        `begin; set plan_cache_mode = ${mode}; set join_collapse_limit = 4; set random_page_cost = 1.1; ${settings};
         prepare feed as ${text};
         explain (analyze, buffers, timing off, format json) execute feed (${literals.join(', ')})`,
      );
      const [[[{ Plan }]]] = explained as [[[{ Plan: Record<string, unknown> }]]];
      expect(pagesRead(Plan), mode).toBeGreaterThan(alone);
      expect(pagesRead(Plan), mode).toBeLessThan(30 * alone);
    }
  });
});

describe('the directory', () => {
  it('reads each person and each account once, also with the plan that PostgreSQL keeps for any values', async () => {
    const people = 500;
    await service().sql(`with person as (
      insert into pessoa (usuario, nome_civil, email) select 'p' || n, 'P ' || n, 'p' || n || '@dir.example' from generate_series(1, ${people}) n
      returning id
    ), account as (
      insert into conta_gerencial (email, nome) select 'c' || n || '@dir.example', 'C ' || n from generate_series(1, ${people}) n
      returning id
    )
    insert into responsavel_conta (id_pessoa, id_conta) select person.id, account.id from person
    join (select id, row_number() over () as n from account) account on account.n = person.id % ${people} + 1`);
    await sql(service().databaseUrl, 'analyze pessoa, conta_gerencial, responsavel_conta');
    const admin = await service().as('admin');
    const path = '/institucional/usuarios-ldap';
    const asked: [text: string, values: readonly unknown[]][] = [];
    const restore = readThrough(service(), (read, ...one) => (asked.push([one[0], one[1]]), read(...one)));
    const { body } = await admin.get(path).finally(restore);
    expect(body.total).toBeGreaterThan(2 * people);
    const [text, values] = asked.find(([one]) => one.includes('responsavel_conta'))!;
    const literals = values.map(value => (value === null ? 'null' : escapeLiteral(String(value))));
    const explained = await sql(
      service().databaseUrl,
      `set plan_cache_mode = force_generic_plan; prepare directory as ${text};
       explain (analyze, timing off, format json) execute directory (${literals.join(', ')})`,
    );
    const [[[{ Plan }]]] = explained as [[[{ Plan: PlanNode }]]];
    expect(readBy(Plan)).toBeGreaterThan(2 * people);
    expect(readBy(Plan)).toBeLessThan(100 * people);
  });
});
