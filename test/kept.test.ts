import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { dropExpired } from '../src/domain/expiry.ts';
import type { Client } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService();
const sweep = (): Promise<void> => dropExpired(service().services.listing.reader);

/** How many rows of a table meet a condition. */
async function count(table: string, condition: string): Promise<number> {
  const [row] = await service().sql(`select count(*)::int from ${table} where ${condition}`);
  return row![0] as number;
}

const totalOf = async (client: Client): Promise<number> =>
  (await client.get('/permissoes/autenticacoes?pagination=true&itemsPerPage=1')).body.total as number;

it('the documentation says of each table how long its rows are kept', async () => {
  const text = await readFile(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const [, section] = /### What is kept\n([^]*?)\n## /.exec(text)!;
  const named = section!.split('\n').flatMap(line => /^\| (`.*?) +\|/.exec(line)?.[1] ?? []);
  const documented = named.flatMap(cell => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const tables = await service().sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  expect(documented.toSorted()).toEqual(tables.flat().map(String).toSorted());
});

describe('rows that are no longer needed are deleted:', () => {
  const address = `endereco = '192.0.2.77'`;
  const addSessions = (number: number, ends: string, ended: string) =>
    service().sql(
      `insert into sessao (token_hash, id_pessoa, id_sistema, endereco, expira_em, encerrada_em)
       select sha256(random()::text::bytea), 1, 1, '192.0.2.77', now() + ${ends}::interval, ${ended}
       from generate_series(1, $1::int)`,
      [number],
    );

  it('sessions, three days after their end, however many', async () => {
    const admin = await service().as('admin');
    await addSessions(2_500, `'-4 days'`, 'null');
    await addSessions(1, `'4 hours'`, `now() - interval '4 days'`);
    await addSessions(3, `'-2 days'`, 'null');
    await addSessions(2, `'4 hours'`, `now() - interval '1 hour'`);
    await addSessions(1, `'4 hours'`, 'null');
    const before = await totalOf(admin);
    await sweep();
    expect(await count('sessao', address)).toBe(6);
    expect(await totalOf(admin)).toBe(before - 2_501);
    expect(await count('auditoria', `tabela = 'sessao' and operacao = 'delete'`)).toBe(2_501);
  });

  it('two processes may sweep at once', async () => {
    await addSessions(3_000, `'-4 days'`, 'null');
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await count('sessao', address)).toBe(6);
  });

  it('answers to keys, after a day', async () => {
    await service().sql(
      `insert into idempotencia (id_pessoa, chave, campo, resumo, resposta, formato, criado_em)
       select 1, 'k' || n, 'x', '', '{}', 2, now() - make_interval(hours => 12 * n) from generate_series(1, 4) n`,
    );
    await sweep();
    expect(await count('idempotencia', `chave like 'k%'`)).toBe(1);
  });

  it('announcements of uploads, after a day', async () => {
    await service().sql(
      `insert into envio_arquivo (sha256, momento) select repeat(n::text, 64), now() - make_interval(hours => 16 * n)
       from generate_series(1, 3) n`,
    );
    await sweep();
    // The demo's own have another digest.
    expect(await count('envio_arquivo', `sha256 ~ '^(.)\\1*$'`)).toBe(1);
  });

  it('reports of imports, thirty days after their end', async () => {
    await service().sql(
      `with past as (
         insert into importacao (registros, nome_arquivo, situacao, terminada_em)
         select 'x', 'x.csv', 'concluida', now() - make_interval(days => 20 * n) from generate_series(1, 2) n returning id
       ), report as (
         insert into andamento_importacao (id_importacao) select id from past returning id_importacao
       ) insert into recusadas_importacao (id_importacao, numero, linhas) select id_importacao, 1, '' from report`,
    );
    await sweep();
    expect(await count('andamento_importacao', 'true')).toBe(1);
    expect(await count('recusadas_importacao', 'true')).toBe(1);
    expect(await count('importacao', 'true')).toBe(2);
  });

  it('attempts to give a password, with the next attempts', async () => {
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, momento, estado)
       select sha256('c'), sha256('p'), sha256('o'), now() - interval '31 days', 'entrou' from generate_series(1, 8)`,
    );
    await service().anyone.login('tecnico');
    expect(await count('tentativa_senha', `momento < now() - interval '30 days'`)).toBe(0);
  });

  it('refusals, after a year; nothing else leaves the audit trail', async () => {
    await service().sql(
      `insert into auditoria (momento, operacao, vezes, alteracoes)
       select now() - interval '1 year' + n, o, 7, '{}'
       from unnest(array[interval '1 hour', interval '-1 hour', interval '-23 hours']) n, unnest(array['login_recusado', 'acesso_recusado']) o`,
    );
    await service().sql(
      `insert into auditoria (momento, operacao, tabela, id_registro, vezes, alteracoes)
       values (now() - interval '400 days', 'insert', 'material', 1, 7, '{}')`,
    );
    await sweep();
    expect(await count('auditoria', 'vezes = 7')).toBe(3);
    expect(await count('auditoria', `vezes = 7 and momento > now() - interval '1 year'`)).toBe(2);
    expect(await count('auditoria', `vezes = 7 and operacao = 'insert'`)).toBe(1);
    for (const condition of [`vezes = 7 and operacao = 'insert'`, `vezes = 7`])
      await expect(service().sql(`delete from auditoria where ${condition}`)).rejects.toThrow('append-only');
    await expect(service().sql('truncate auditoria')).rejects.toThrow('append-only');
  });
});
