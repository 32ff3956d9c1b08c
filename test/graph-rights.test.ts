import { beforeAll, describe, expect, it } from 'vitest';
import { shapesOf } from '../src/graph/shape.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { Builder } from '../src/listing/builder.ts';
import type { EntityClass } from '../src/graph/member.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { inChunks, linkPaths, probesOf, type Probe, type Visible } from './support/graph-rights.ts';
import { probesOfMany } from './support/graph-rights-many.ts';
import { makePerson, makeProfile, makeSession } from './support/permissions.ts';
import { useService } from './support/service.ts';

const service = useService();
const schema = await createSchema();
const shapes = shapesOf(schema)!;
const listed = [...shapes.lists].flatMap(([record, { access }]) => {
  const query = shapes.queries.find(one => one.record === record);
  return query ? [{ record, access, query: query.field.name, name: shapes.all.get(record)!.name }] : [];
});
const keys = (query: string): string => (query === 'atividadesCurriculoDiscente' ? 'idVinculo: 1' : '');

/** Demo users, somebody with a session and no rights, and for each list somebody who may read that list alone. */
const usual = ['admin', 'almoxarife', 'tecnico', 'docente', 'discente'];
const clients = new Map<string, Client>();

beforeAll(async () => {
  for (const usuario of usual) clients.set(usuario, (await service().as(usuario)).with(systemHeaders));
  await makeClient('ninguem');
  for (const { name, access } of listed) {
    const controller = access.kind === 'level' ? access.controller : access.kind === 'own' && access.readers;
    const nivel = access.kind === 'level' ? access.level : 1;
    await makeClient(name, controller ? [{ controller, nivel }] : []);
  }
});

async function makeClient(
  usuario: string,
  itens: { controller: string; nivel: number }[] = [],
): Promise<void> {
  const token = usuario.padEnd(43, 'x');
  await makeSession(service(), await makePerson(service(), usuario.toLowerCase()), token);
  if (itens.length > 0) await makeProfile(service(), { usuarios: [usuario.toLowerCase()], itens });
  clients.set(usuario, service().anyone.with({ ...systemHeaders, token }));
}

/** One list, or what it shows of one key. */
interface Call {
  record: EntityClass;
  call: string;
}

/** Those that show one's own records, with all that anybody may see there. */
let own: { record: EntityClass; calls: Call[]; all: number }[];
beforeAll(async () => {
  const ids = (await service().sql('select id from vinculo_discente')).flat() as number[];
  const found = listed
    .filter(({ access }) => access.kind === 'own')
    .map(async ({ record, query }) => {
      const rows = new Builder(service().services.listing.metadata.get(record)).source;
      const [[all]] = (await service().sql(`select count(*)::int from ${rows} t`)) as [[number]];
      const given = keys(query) ? ids.map(id => `idVinculo: ${id}, `) : [''];
      const calls = given.map(key => `${query}(${key}itemsPerPage: 1000) { data { id } }`);
      return { record, all, calls: calls.map(call => ({ record, call })) };
    });
  own = await Promise.all(found);
});

/** What a client sees of each list by its query: everything, some records, or nothing at all. */
async function visibleTo(client: Client): Promise<Map<EntityClass, Visible>> {
  const visible = new Map<EntityClass, Visible>();
  const ofLevel = listed.filter(({ access }) => access.kind === 'level');
  for (const chunk of inChunks(ofLevel)) {
    const { data, errors = [] } = await client.graphql(
      `{ ${chunk.map(({ query }) => `${query}(itemsPerPage: 1) { page }`).join(' ')} }`,
    );
    for (const { extensions } of errors) expect(extensions.code).toBe('FORBIDDEN');
    for (const { record, query } of chunk) visible.set(record, data[query] ? 'all' : 'none');
  }
  const found = new Map(own.map(({ record }) => [record, new Set<number>()]));
  for (const chunk of inChunks(own.flatMap(({ calls }) => calls))) {
    const { data } = await client.graphql(`{ ${chunk.map(({ call }, i) => `c${i}: ${call}`).join(' ')} }`);
    for (const [i, { record }] of chunk.entries())
      for (const { id } of data[`c${i}`]?.data ?? []) found.get(record)!.add(id as number);
  }
  for (const { record, all } of own) {
    const seen = found.get(record)!;
    visible.set(record, seen.size === all ? 'all' : seen);
  }
  return visible;
}

/** Sends probes, and tells what is wrong with their answers. */
async function wrongWith(client: Client, probes: readonly Probe[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const chunk of inChunks(probes)) {
    const query = `{ ${chunk.map(({ call }, i) => `p${i}: ${call}`).join('\n')} }`;
    const { data, errors = [] } = await client.graphql(query);
    for (const [i, probe] of chunk.entries()) {
      const own = errors.filter(({ path }) => !path || path[0] === `p${i}`);
      wrong.push(...probe.problems(data?.[`p${i}`], own).map(problem => `${probe.call}: ${problem}`));
    }
  }
  return wrong;
}

describe('the test of rights', () => {
  it.each([...usual, 'ninguem', ...listed.map(({ name }) => name)])(
    '%s: reads, counts, filters, orders and groups only what they could list',
    async usuario => {
      const client = clients.get(usuario)!;
      const visible = await visibleTo(client);
      const open = listed.filter(({ record }) => visible.get(record) !== 'none');
      expect(open.length).toBeGreaterThan(0);
      // The lists that everybody has show one's own. They are tried for few, the others for all who may read them.
      const tried = usual.includes(usuario) ? open : open.filter(({ name }) => name === usuario);
      const wrong: string[] = [];
      for (const { record, query } of tried)
        for (const probes of [probesOf, probesOfMany])
          wrong.push(...(await wrongWith(client, probes(shapes, record, query, keys(query), visible))));
      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );

  it('covers links beyond those that lists show', () => {
    const paths = listed.flatMap(({ record }) => linkPaths(shapes, record, 3));
    expect(paths.length).toBeGreaterThan(20);
  });
});

describe("one's own records", () => {
  it('are the only ones that quantifiers find', async () => {
    const client = clients.get('Perfil')!;
    const visible = (await visibleTo(client)).get(listed.find(({ name }) => name === 'Permissao')!.record);
    expect(visible).toBeInstanceOf(Set);
    const [[held]] = (await service().sql(
      'select count(distinct id_perfil)::int from permissao where id = any($1)',
      [[...(visible as Set<number>)]],
    )) as [[number]];
    const { data } = await client.graphql(
      `{ perfis { total } some: perfis(filter: { permissoes: { some: {} } }) { total }
         none: perfis(filter: { permissoes: { none: {} } }) { total }
         every: perfis(filter: { permissoes: { every: { or: [] } } }) { total } }`,
    );
    expect(held).toBe(1);
    expect(data.some.total).toBe(held);
    expect(data.none.total).toBe(data.perfis.total - held);
    expect(data.every.total).toBe(data.perfis.total - held);
  });
});

describe('a link that is never empty', () => {
  it('is refused at its field, and everything else is answered', async () => {
    const { data, errors } = await clients
      .get('Movimentacao')!
      .graphql('{ movimentacoesEstoque { data { id lote { material { id unidadeMedida { sigla } } } } } }');
    expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']));
    const { data: movements } = data.movimentacoesEstoque;
    expect(movements).toHaveLength(10);
    for (const { lote } of movements)
      expect(lote).toEqual({ material: { id: expect.any(Number), unidadeMedida: null } });
    expect(errors!.map(({ path }) => path)).toEqual(
      movements.map((_: unknown, i: number) => [
        'movimentacoesEstoque',
        'data',
        i,
        'lote',
        'material',
        'unidadeMedida',
      ]),
    );
  });

  it('is null in an inbox with a reversal, and in the answer of its approval, which is done', async () => {
    const almoxarife = clients.get('almoxarife')!;
    const [[reversed]] = (await service().sql(`select m.id from movimentacao m
      join lote l on l.id = m.id_lote join material t on t.id = l.id_material
      join tipo_controle c on c.id = t.id_tipo_controle and c.exige_aprovacao where m.id_tipo_movimentacao = 4 and m.fl_estorno = 'N'
        and m.id_status_movimentacao = 2
      order by m.id desc limit 1`)) as [[number]];
    const made = await almoxarife.graphql(
      'mutation ($id: Int!) { estornarMovimentacao(id: $id, quantidade: 1, observacao: "Engano") { id } }',
      { id: reversed },
    );
    expect(made.errors).toBeUndefined();
    const { id } = made.data.estornarMovimentacao;
    await makeClient('decisor', [{ controller: 'almoxarifadoquimicos/aprova-movimentacoes', nivel: 3 }]);
    const decisor = clients.get('decisor')!;
    const estornos = 'movimentacao { id estornos { quantidade estornada { id } movimentacao { id } } }';
    const hidden = { id, estornos: [{ quantidade: 1, estornada: null, movimentacao: null }] };
    const inbox = await decisor.graphql(
      `query ($id: Int!) { solicitacoesAprovacao(filter: { movimentacao: { id: { eq: $id } } }) { data { ${estornos} } } }`,
      { id },
    );
    expect(inbox.data.solicitacoesAprovacao.data).toEqual([{ movimentacao: hidden }]);
    const approved = await decisor.graphql(
      `mutation ($id: Int!) { aprovarMovimentacao(idMovimentacao: $id) { situacao ${estornos} } }`,
      { id },
    );
    expect(approved.data.aprovarMovimentacao).toEqual({ situacao: 'APROVADA', movimentacao: hidden });
    expect(approved.errors!.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });
});
