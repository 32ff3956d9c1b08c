import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { foldedColumns } from './support/folded.ts';
import { makeMaterial } from './support/make.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { statementsOn } from './support/statements.ts';

const service = useService();
const sql = (text: string, values?: unknown[]) => service().sql(text, values);
const wrong = async () => (await foldedColumns(sql)).filter(column => column.wrong > 0);
const trailLength = async () => (await sql('select count(*)::int from auditoria'))[0];
const versions = () => sql('select id, versao from material order by id');

/** Resets the materials to the state of the previous version. */
async function forget(): Promise<void> {
  for (const statement of [
    'alter table material disable trigger user',
    'update material set titulo_busca = null, descricao_busca = null',
    'alter table material enable trigger user',
    `comment on trigger dobrar on material is 'pendente'`,
  ])
    await sql(statement);
}

describe('searched text', () => {
  it('is stored folded in every row, whoever wrote it', async () => {
    const columns = await foldedColumns(sql);
    expect(columns.map(({ column }) => column)).toContain('pessoa.nome_social');
    const { id } = await makeMaterial(service(), { titulo: 'Ácido ÚNICO' });
    await sql(`update material set descricao = 'Só por SQL: ÇÃO' where id = $1`, [id]);
    expect(await sql('select titulo_busca, descricao_busca from material where id = $1', [id])).toEqual([
      ['acido unico', 'so por sql: cao'],
    ]);
    const admin = await service().as('admin');
    const path = `/almoxarifadoquimicos/materiais/${id}`;
    const { body } = await admin.get(path);
    expect((await admin.put(path, { ...body, alterado_por: 1, titulo: 'Base FRÁGIL' })).status).toBe(200);
    expect((await sql('select titulo_busca from material where id = $1', [id]))[0]).toEqual(['base fragil']);
    expect(await wrong()).toEqual([]);
  });

  it('is what text filters compare, also through links', async () => {
    const { statements } = await statementsOn(
      service(),
      '{ materiais(titulo: "ácido", tipoControle: "FEDERAL") { total data { id } } }',
    );
    expect(statements.join()).toMatch(/t\."titulo_busca" like \(select indexed_pattern\(\$1\)/);
    expect(statements.join()).toMatch(/t1\."descricao_busca" like \(select indexed_pattern\(\$2\)/);
    expect(statements.join()).not.toMatch(/\bfold\((?!\$)/);
  });

  it('is compared with a pattern that is made once for all rows, if all that match are read', async () => {
    const counted = await statementsOn(service(), '{ materiais(titulo: "ácido") { total data { id } } }');
    expect(counted.statements.join()).toContain('like (select indexed_pattern($1))');
    // For a few of them PostgreSQL plans with the value, to know how many match.
    const some = await statementsOn(service(), '{ materiais(titulo: "ácido") { data { id } } }');
    expect(some.statements.join()).toContain('like contains_pattern($1)');
  });

  it('matches the short pattern of any text that it contains', async () => {
    await makeMaterial(service(), { titulo: 'Éter P.A., c/ 6 x 50%_\\ (a.b.c) de 2 g, k% 1,10-500x 12' });
    const [[tried, missed]] = (await sql(
      `select count(*)::int, count(*) filter (where not titulo_busca like indexed_pattern(part))::int
      from material cross join generate_series(1, length(titulo)) start cross join generate_series(1, 40) size
      cross join substr(titulo, start, size) part`,
    )) as [[number, number]];
    expect(tried).toBeGreaterThan(20_000);
    expect(missed).toBe(0);
  });

  it('is looked up by short words if the text has few long ones', async () => {
    const [[same, hplc, twelve]] = (await sql(
      `select 'acido p.a., caixa com 6' like indexed_pattern('P.A., caixa com 6'),
        'hplc, caixa com 6' like indexed_pattern('P.A., caixa com 6'),
        'caixa com 12' like indexed_pattern('caixa com 6')`,
    )) as [[boolean, boolean, boolean]];
    expect([same, hplc, twelve]).toEqual([true, false, false]);
  });

  it('is looked up by its numbers, also if the text has many long words', async () => {
    const [[same, begun, twelve]] = (await sql(
      `select fold('para análise de traços, caixa com 6') like indexed_pattern('para análise de traços, caixa com 6'),
        fold('para análise de traços, caixa com 60') like indexed_pattern('para análise de traços, caixa com 6'),
        fold('para análise de traços, caixa com 12') like indexed_pattern('para análise de traços, caixa com 6')`,
    )) as [[boolean, boolean, boolean]];
    expect([same, begun, twelve]).toEqual([true, true, false]);
  });

  it('that is not stored folded is folded without a call of a function of ours for each row', async () => {
    const plan = await sql(`explain (verbose) select from auditoria where fold(tabela) like '%a%'`);
    expect(plan.join('\n')).toMatch(/lower\(.*unaccent\(/);
    expect(plan.join('\n')).not.toContain('fold(');
  });

  it('is found by a long text, also with what a pattern would take for wildcards', async () => {
    const { id } = await makeMaterial(service(), {
      titulo: '100%_ \\ ÁCIDO dicloroisocianúrico (anidro), 2-etil',
    });
    const found = async (text: string) => {
      const query = `{ materiais(titulo: ${JSON.stringify(text)}) { total data { id } } }`;
      return (await statementsOn(service(), query)).data.materiais.data;
    };
    expect(await found('100%_ \\ acido dicloroisocianurico')).toEqual([{ id }]);
    expect(await found('dicloroisocianúrico (anidro), 2-ETIL')).toEqual([{ id }]);
    expect(await found('100__ \\ acido dicloroisocianurico')).toEqual([]);
    expect(await found('acido dicloroisocianurico, anidro')).toEqual([]);
    expect(await found('dicloroisocianúrico %')).toEqual([]);
  });

  it('is in no answer and not in the audit trail', async () => {
    const fields = Object.values((await createSchema()).getTypeMap()).flatMap(type =>
      'getFields' in type ? Object.keys(type.getFields()) : [],
    );
    expect(fields.filter(name => /.Busca$/.test(name))).toEqual([]);
    const { id } = await makeMaterial(service());
    await sql(`update material set titulo = 'Outro' where id = $1`, [id]);
    await sql('delete from material where id = $1', [id]);
    const changes = await sql(
      `select operacao, alteracoes from auditoria where tabela = 'material' and id_registro = $1 order by id`,
      [id],
    );
    expect(changes.map(([operation]) => operation)).toEqual(['insert', 'update', 'delete']);
    expect(changes[1]![1]).toMatchObject({ titulo: [expect.anything(), 'Outro'] });
    expect(JSON.stringify(changes)).not.toContain('_busca');
  });

  it('cannot be set, and an update that changes nothing raises no version', async () => {
    const before = await versions();
    await sql(`update material set titulo_busca = 'outro'`);
    await sql('update material set titulo = titulo');
    expect(await versions()).toEqual(before);
    expect(await wrong()).toEqual([]);
  });
});

describe('after an upgrade', () => {
  it('rows that are there already are folded, and keep version and trail', async () => {
    await forget();
    const before = [await versions(), await trailLength()];
    expect(await wrong()).not.toEqual([]);
    await sql('call dobrar_pendentes()');
    expect(await wrong()).toEqual([]);
    expect([await versions(), await trailLength()]).toEqual(before);
    // Only once: afterwards only the trigger folds.
    await sql('alter table material disable trigger user');
    await sql(`update material set titulo_busca = 'outro' where id = 1`);
    await sql('alter table material enable trigger user');
    await sql('call dobrar_pendentes()');
    expect(await wrong()).toEqual([{ column: 'material.titulo', wrong: 1 }]);
  });

  it('waits for a write without keeping others waiting for long', async () => {
    await forget();
    const writer = new Client(service().databaseUrl);
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query(`update material set titulo = 'Ácido tardio' where id = 2`);
      const folding = sql('call dobrar_pendentes()');
      await eventually(async () => {
        const waiting = await sql(
          `select 1 from pg_locks where relation = 'material'::regclass and mode = 'ExclusiveLock' and not granted`,
        );
        expect(waiting).toHaveLength(1);
      });
      await sql(`update material set titulo = 'Ácido rápido' where id = 3`);
      await writer.query('commit');
      await folding;
      expect(await wrong()).toEqual([]);
    } finally {
      await writer.end();
    }
  });
});
