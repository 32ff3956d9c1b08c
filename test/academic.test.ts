import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from './support/client.ts';
import { grant } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const links = '/academico/vinculo-discente';
const activities = '/academico/atividade-curriculo-discente';
const states = '/academico/situacoes-atividade-curriculo';

const idOf = async (usuario: string): Promise<number> =>
  (await service().sql('select id from pessoa where usuario = $1', [usuario]))[0]![0] as number;

/** An enrolment with activities that does not belong to the demo's student. */
async function another(): Promise<{ id: number; matricula: string; idPessoa: number; ano: number }> {
  const [row] = await service().sql(
    `select v.id, v.numero_matricula, v.id_pessoa, v.ano_ingresso from vinculo_discente v
     where v.id_pessoa <> $1 and exists (select from atividade_curriculo_discente a where a.id_vinculo = v.id) limit 1`,
    [await idOf('discente')],
  );
  const [id, matricula, idPessoa, ano] = row as [number, string, number, number];
  return { id, matricula, idPessoa, ano };
}

describe('the enrolments', () => {
  it('of a student are readable by that student without any permission, with every column', async () => {
    const { status, body } = await (await service().as('discente')).get(`${links}?orderByVinculo=desc`);
    expect(status).toBe(200);
    const idPessoa = await idOf('discente');
    expect(body).toMatchObject({ total: 2, page: 1, itemsPerPage: 10, totalPages: 1 });
    expect(body.data[0]).toMatchObject({
      id_pessoa: idPessoa,
      matricula: '202410099',
      vinculo: 2,
      nivel_curso: 1,
      ano_ingresso: expect.any(Number),
      curso: 'Química (Bacharelado)',
      situacao: 'Ativo',
      habilitado: 'S',
      pessoa: { id: idPessoa, usuario: 'discente' },
    });
    expect(body.data[1]).toMatchObject({ vinculo: 1, habilitado: 'N' });
  });

  it('of other people are not found by any argument', async () => {
    const discente = await service().as('discente');
    const other = await another();
    for (const query of [`matricula=${other.matricula}`, 'itemsPerPage=1000', 'page=2', 'nivelCurso=2'])
      for (const link of (await discente.get(`${links}?${query}`)).body.data)
        expect(link.id_pessoa).toBe(await idOf('discente'));
    const { data } = await discente.graphql(
      `{ vinculosDiscente(matricula: "${other.matricula}") { total data { id pessoa { nome } } } }`,
    );
    expect(data.vinculosDiscente).toEqual({ total: 0, data: [] });
  });

  it('are an empty page for a person who has none', async () => {
    expect((await (await service().as('docente')).get(links)).body).toMatchObject({ data: [], total: 0 });
    expectProblem(await service().anyone.get(links), 401, 'UNAUTHENTICATED');
  });

  it('of everybody are readable with level 1', async () => {
    const [[count]] = (await service().sql('select count(*)::int from vinculo_discente')) as [[number]];
    const takeAway = await grant(service(), 'tecnico', {
      controller: 'academico/vinculo-discente',
      nivel: 1,
    });
    const tecnico = await service().as('tecnico');
    expect((await tecnico.get(`${links}?itemsPerPage=1000`)).body.total).toBe(count);
    await takeAway();
    expect((await tecnico.get(links)).body.total).toBe(0);
  });
});

describe('the activities of a student', () => {
  const own = (client: Client, query: string) => client.get(`${activities}?idVinculo=1${query}`);

  it('are readable by that student: two years, in every state', async () => {
    const { status, body } = await own(
      await service().as('discente'),
      '&chTotal=false&orderByAno=asc&orderByPeriodo=asc',
    );
    expect(status).toBe(200);
    expect(body.total).toBe(23);
    expect(body.data[0]).toMatchObject({
      id_vinculo: 1,
      codigo_atividade: 'QUI0101',
      nome_atividade: 'Química Geral I',
      estrutura: 'Unidades obrigatórias',
      ano: expect.any(Number),
      periodo: expect.any(Number),
      ch_total: 60,
      id_situacao: expect.any(Number),
      situacao: { situacao: 'Aprovado', sigla: 'AP' },
    });
    const semesters = body.data.map((one: any) => `${one.ano}/${one.periodo}`);
    expect(new Set(semesters).size).toBe(4);
    expect(new Set(body.data.map((one: any) => one.situacao.sigla))).toEqual(
      new Set(['AP', 'RN', 'RF', 'EC', 'TR', 'DI', 'CA']),
    );
  });

  it('come in pages, unless chTotal (the pagination flag on REST) is false', async () => {
    const discente = await service().as('discente');
    for (const query of ['', '&chTotal=true', '&chTotal=1'])
      expect((await own(discente, query)).body).toMatchObject({ itemsPerPage: 10, totalPages: 3 });
    expect((await own(discente, '&chTotal=0')).body).toMatchObject({ itemsPerPage: 23, totalPages: 1 });
    const { data } = await discente.graphql(
      '{ atividadesCurriculoDiscente(idVinculo: 1, pagination: false, orderByChTotal: desc) { data { chTotal } } }',
    );
    expect(data.atividadesCurriculoDiscente.data[0].chTotal).toBe(90);
  });

  it('need the enrolment, as a number', async () => {
    const discente = await service().as('discente');
    for (const path of [activities, `${activities}?idVinculo=`, `${activities}?idVinculo=um`]) {
      const refused = await discente.get(path);
      expectProblem(refused, 400, 'BAD_REQUEST');
      expect(fieldsOf(refused)).toEqual(['idVinculo']);
    }
    const { errors } = await discente.graphql('{ atividadesCurriculoDiscente { total } }');
    expect(errors).toHaveLength(1);
  });

  it('are filtered by text where the specification says integer: a whole code, or parts of names', async () => {
    const discente = await service().as('discente');
    const codes = async (query: string): Promise<string[]> =>
      (await own(discente, query)).body.data.map((one: any) => one.codigo_atividade);
    expect(await codes('&codigoAtividade=QUI0213')).toEqual(['QUI0213']);
    expect(await codes('&codigoAtividade=QUI')).toEqual([]);
    expect(await codes('&nomeAtividade=QUIMICA%20org&orderByCodigoAtividade=desc')).toEqual([
      'QUI0214',
      'QUI0213',
    ]);
    expect(await codes('&estrutura=complementares&orderByNomeAtividade=asc')).toEqual(['ACC0007', 'ACC0001']);
  });

  it('of other people are not found without level 1, as if there were none', async () => {
    const discente = await service().as('discente');
    const { id } = await another();
    const unknown = (await discente.get(`${activities}?idVinculo=2000000`)).body;
    for (const query of ['', '&chTotal=false', '&ano=2025', '&orderByNomeAtividade=asc'])
      expect((await discente.get(`${activities}?idVinculo=${id}${query}`)).body).toMatchObject({
        data: [],
        total: 0,
      });
    expect((await discente.get(`${activities}?idVinculo=${id}`)).body).toEqual(unknown);
    const { data } = await discente.graphql(
      `{ atividadesCurriculoDiscente(idVinculo: ${id}) { total data { vinculo { matricula pessoa { nome } } } } }`,
    );
    expect(data.atividadesCurriculoDiscente).toEqual({ total: 0, data: [] });
    expect(
      (await (await service().as('admin')).get(`${activities}?idVinculo=${id}`)).body.total,
    ).toBeGreaterThan(0);
  });
});

describe('the situations of activities', () => {
  it('are seven, found by parts of their name or acronym', async () => {
    const admin = await service().as('admin');
    expect((await admin.get(`${states}?orderBySigla=asc`)).body.data.map((one: any) => one.sigla)).toEqual([
      'AP',
      'CA',
      'DI',
      'EC',
      'RF',
      'RN',
      'TR',
    ]);
    expect((await admin.get(`${states}?situacao=FREQUENCIA`)).body.data).toMatchObject([{ sigla: 'RF' }]);
    const { data } = await admin.graphql(
      '{ situacoesAtividadeCurriculo(sigla: "rn") { data { id situacao } } }',
    );
    const [found] = data.situacoesAtividadeCurriculo.data;
    expect(found.situacao).toBe('Reprovado por nota');
    expect((await admin.get(`${states}?idSituacoesAtividadeCurricular=${found.id}`)).body.total).toBe(1);
  });

  it("without level 1 are only those of the caller's own activities", async () => {
    const own = await service().sql(
      `select distinct s.sigla from situacao_atividade_curriculo s
       join atividade_curriculo_discente a on a.id_situacao = s.id join vinculo_discente v on v.id = a.id_vinculo
       where v.id_pessoa = $1 order by 1`,
      [await idOf('discente')],
    );
    expect(own.length).toBeGreaterThan(1);
    await service().sql(
      `insert into situacao_atividade_curriculo (situacao, sigla) values ('De ninguém', 'ZZ')`,
    );
    const discente = await service().as('discente');
    const shown = (await discente.get(`${states}?orderBySigla=asc`)).body.data;
    expect(shown.map((one: any) => [one.sigla])).toEqual(own);
    const [[link]] = (await service().sql('select min(id) from vinculo_discente where id_pessoa = $1', [
      await idOf('discente'),
    ])) as [[number]];
    for (const { id } of shown)
      expect((await discente.get(`${activities}?idVinculo=${link}&idSituacao=${id}`)).status).toBe(200);
    const { data } = await (
      await service().as('docente')
    ).graphql('{ situacoesAtividadeCurriculo { total } }');
    expect(data.situacoesAtividadeCurriculo.total).toBe(0);
    expect((await (await service().as('admin')).get(`${states}?sigla=ZZ`)).body.total).toBe(1);
    expectProblem(await service().anyone.get(states), 401, 'UNAUTHENTICATED');
  });
});

describe('a teaching plan', () => {
  const fields =
    'codigoDisciplina curso { modalidade } docentes { idPessoa nome } tramitacoes { nome etapa { descricao } }';
  const planOf = async (usuario: string, teaches: boolean): Promise<number> =>
    (
      await service().sql(
        `select id from plano_ensino p where $2 = exists (
           select from docente_plano d join pessoa on pessoa.id = d.id_pessoa where d.id_plano_ensino = p.id and usuario = $1
         ) order by id limit 1`,
        [usuario, teaches],
      )
    )[0]![0] as number;

  it('is visible to its teachers, and with level 1', async () => {
    const id = await planOf('docente', true);
    const query = `{ planoEnsino(id: ${id}) { ${fields} } }`;
    const { data } = await (await service().as('docente')).graphql(query);
    expect(data.planoEnsino).toMatchObject({ codigoDisciplina: 'QUI0320' });
    expect(data.planoEnsino.docentes).toContainEqual({
      idPessoa: await idOf('docente'),
      nome: 'Caio Montenegro Reis',
    });
    expect((await (await service().as('admin')).graphql(query)).data).toEqual(data);
  });

  it('is refused to everybody else, whether it exists or not', async () => {
    const foreign = await planOf('docente', false);
    for (const [usuario, id] of [
      ['docente', foreign],
      ['docente', 2_000_000],
      ['discente', foreign],
    ] as const) {
      const { data, errors } = await (
        await service().as(usuario)
      ).graphql(`{ planoEnsino(id: ${id}) { id } }`);
      expect(data.planoEnsino).toBeNull();
      expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    }
    expect((await (await service().as('admin')).graphql('{ planoEnsino(id: 2000000) { id } }')).data).toEqual(
      {
        planoEnsino: null,
      },
    );
  });

  it('is listed to those who may read it, with filters, orders and sums', async () => {
    const query = `{ planosEnsino(pagination: false) { data { id } summary { count } }
      late: planosEnsino(filter: { docentes: { some: { idPessoa: { gt: 0 } } } }, orderBy: [{ ano: desc }]) {
        data { ano docentes { nome } } } }`;
    const taught = async (condition: string) =>
      (
        await service().sql(
          `select distinct id_plano_ensino from docente_plano d join pessoa on pessoa.id = d.id_pessoa where ${condition}`,
        )
      ).flat();
    const own = await taught("usuario = 'docente'");
    const all = (await service().sql('select id from plano_ensino')).flat();
    expect(own.length).toBeLessThan(all.length);
    for (const [usuario, ids] of [
      ['docente', own],
      ['discente', []],
      ['admin', all],
    ] as const) {
      const { data, errors } = await (await service().as(usuario)).graphql(query);
      expect(errors).toBeUndefined();
      const { data: plans, summary } = data.planosEnsino;
      expect(new Set(plans.map(({ id }: { id: number }) => id))).toEqual(new Set(ids));
      expect(summary.count).toBe(ids.length);
      const years = data.late.data.map(({ ano }: { ano: number }) => ano);
      expect(years).toEqual(years.toSorted((a: number, b: number) => b - a));
      expect(years.length > 0).toBe(ids.length > 0);
    }
  });

  it('is listed to its teachers as their own, and they print it without a level', async () => {
    const docente = await service().as('docente');
    const own = (
      await service().sql(
        `select id_plano_ensino from docente_plano d join pessoa on pessoa.id = d.id_pessoa where usuario = 'docente'`,
      )
    ).flat();
    const { status, body } = await docente.get('/academico/meus-planos?pagination=false');
    expect(status).toBe(200);
    expect(new Set(body.data.map(({ id }: { id: number }) => id))).toEqual(new Set(own));
    const years = body.data.map(({ ano, semestre }: any) => ano * 10 + semestre);
    expect(years).toEqual(years.toSorted((a: number, b: number) => b - a));
    const [{ id, ano }] = body.data;
    expect((await docente.get(`/academico/planos-ensino/gerar-pdf/${id}`)).status).toBe(200);
    const { data } = await docente.graphql(
      `{ meusPlanos(ano: ${ano}, pagination: false) { data { ano docentes { nome } } } }`,
    );
    expect(new Set(data.meusPlanos.data.map((one: any) => one.ano))).toEqual(new Set([ano]));
    // Level 1 on all plans does not make the person a teacher of them.
    expect((await (await service().as('admin')).get('/academico/meus-planos')).body.total).toBe(0);
    expectProblem(await service().anyone.get('/academico/meus-planos'), 401, 'UNAUTHENTICATED');
  });

  it('is on the page of each of its teachers, who are found by it', async () => {
    const takeAway = await grant(service(), 'docente', { controller: 'institucional/noticias', nivel: 1 });
    onTestFinished(takeAway);
    const rows = (await service().sql(
      `select d.id_pessoa, p.id from docente_plano d join plano_ensino p on p.id = d.id_plano_ensino
       where d.id_pessoa in (select id_pessoa from permissao) order by p.ano desc, p.id`,
    )) as [number, number][];
    const page =
      'planosEnsino(orderBy: [{ ano: desc }], itemsPerPage: 3) { total nextCursor data { id } summary { count } }';
    const query = `{ permissoes(filter: { pessoa: { planosEnsino: { some: {} } } }, pagination: false) {
      data { pessoa { id ${page} } } } }`;
    const read = async (usuario: string): Promise<Map<number, any>> => {
      const { data, errors } = await (await service().as(usuario)).graphql(query);
      expect(errors).toBeUndefined();
      return new Map(data.permissoes.data.map(({ pessoa }: any) => [pessoa.id, pessoa.planosEnsino]));
    };
    const seen = await read('admin');
    expect(new Set(seen.keys())).toEqual(new Set(rows.map(([person]) => person)));
    expect(seen.size).toBeGreaterThan(0);
    for (const [person, { data, total, summary, nextCursor }] of seen) {
      const own = rows.filter(row => row[0] === person).map(row => row[1]);
      expect(data.map(({ id }: any) => id)).toEqual(own.slice(0, 3));
      expect([total, summary.count, nextCursor !== null]).toEqual([own.length, own.length, own.length > 3]);
    }
    const docente = await idOf('docente');
    expect([...(await read('docente')).keys()]).toEqual([docente]);
    expect((await read('discente')).size).toBe(0);
  });

  it('shows only the names of its teachers', async () => {
    const { errors } = await (
      await service().as('docente')
    ).graphql(`{ planoEnsino(id: ${await planOf('docente', true)}) { docentes { pessoa { usuario } } } }`);
    expect(errors![0]!.message).toContain('Cannot query field "pessoa"');
  });

  it('exists in the demo in every situation and at every step, the step of its latest move', async () => {
    const [row] = await service().sql(`
      select count(*)::int, count(distinct id_situacao)::int, (select count(*)::int from situacao_plano_ensino),
        count(distinct id_tramitacao_atual)::int, (select count(*)::int from etapa_tramitacao),
        bool_and(id_tramitacao_atual = (select t.id_etapa from tramitacao_plano t where t.id_plano_ensino = p.id order by t.data desc limit 1)),
        (select max(data) < now() from tramitacao_plano)
      from plano_ensino p`);
    expect(row).toEqual([40, 6, 6, 5, 5, true, true]);
  });
});
