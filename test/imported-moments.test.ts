import { beforeAll, describe, expect, it } from 'vitest';
import { checkDigits } from '../src/domain/cpf.ts';
import type { Answer, Client } from './support/client.ts';
import { pagesOf } from './support/pdf.ts';
import { planReports, rowsOf } from './support/reports.ts';
import { useService } from './support/service.ts';

const service = useService();
let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

const importing = (registros: string, lines: readonly string[]): Promise<Answer> =>
  admin.post('/institucional/importacoes', {
    registros,
    nome_arquivo: 'arquivo.csv',
    conteudo: Buffer.from(lines.join('\n')).toString('base64'),
  });

/** Imports rows, of which none may be refused. */
async function load(registros: string, ...lines: string[]): Promise<void> {
  const { body } = await importing(registros, lines);
  expect(body).toMatchObject({ situacao: 'concluida', problemas: [] });
}

/** What is expected in place of what rows have. */
async function refused(registros: string, ...lines: string[]): Promise<unknown[][]> {
  const { body } = await importing(registros, lines);
  expect(body.situacao).toBe('recusada');
  return body.problemas.map(({ linha, coluna, esperado }: any) => [linha, coluna, esperado]);
}

const employees = 'cpf;nome_civil;natureza_juridica;ultima_alteracao';
const cpf = (n: number): string => `${600_000_000 + n}${checkDigits(String(600_000_000 + n))}`;
const employee = (n: number, moment: string): string => `${cpf(n)};Antiga;Bolsista;${moment}`;

const news = 'link;titulo;publicada_em';
const item = (n: number, moment: string): string => `https://x.example/${n};Notícia ${n};${moment}`;

const plans =
  'codigo_disciplina;curso_codigo;ano;semestre;nome_disciplina;departamento_sigla;carga_horaria;situacao_codigo;' +
  'tramitacao_atual_descricao;docentes';
const plan = (code: string, step: string): string =>
  `${code};QUI-B;1998;1;Disciplina ${code};DQI;60;AN;${step};docente`;
const steps =
  'plano_ensino_codigo_disciplina;plano_ensino_curso_codigo;plano_ensino_ano;plano_ensino_semestre;' +
  'etapa_descricao;data;pessoa_usuario';
const step = (code: string, name: string, moment: string): string =>
  `${code};QUI-B;1998;1;${name};${moment};docente`;
const [TEACHER, DEPARTMENT, BOARD] = [
  'Elaboração pelo docente',
  'Apreciação do departamento',
  'Apreciação do colegiado',
];

async function planOf(code: string) {
  const { data, errors } = await admin.graphql(
    `{ planosEnsino(filter: { codigoDisciplina: { eq: "${code}" } }) {
      data { id alteradoPor tramitacaoAtual { descricao } tramitacoes { data } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.planosEnsino.data[0];
}

/** A moment so many minutes from now, as files have it. */
const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19) + 'Z';

/** Midnight of that day at the local mean time of São Paulo, which was 3:06:28 behind UTC until 1914. */
const MIDNIGHT = '1900-01-01T03:06:28.000Z';
const SECOND = '1900-01-01T03:06:29.123Z';

describe('a moment from before the time zones of today', () => {
  it('of an employee is shown in lists, figures and groups, and found by filters and cursors', async () => {
    await load('funcionarios', employees, employee(1, '1900-01-01'), employee(2, '01/01/1900 00:00:01.123'));
    const path = '/institucional/funcionarios-ativos?naturezaJuridica=Bolsista&ordernarByUltimaAlteracao=asc';
    const { status, body } = await admin.get(`${path}&ultimaAlteracao=1900-01-01`);
    expect([status, body.data.map((one: any) => one.ultima_alteracao)]).toEqual([200, [MIDNIGHT, SECOND]]);
    const { data, errors } = await admin.graphql(
      `{ funcionariosAtivos(itemsPerPage: 1, orderBy: [{ ultimaAlteracao: asc }], filter: { ultimaAlteracao: { gte: "${MIDNIGHT}" } }) {
        data { ultimaAlteracao } nextCursor summary { min { ultimaAlteracao } }
        groups(by: [{ ultimaAlteracao: DAY }], first: 1, orderBy: [{ key: { ultimaAlteracao: asc } }]) { key { ultimaAlteracao } count } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.funcionariosAtivos).toMatchObject({
      data: [{ ultimaAlteracao: MIDNIGHT }],
      summary: { min: { ultimaAlteracao: MIDNIGHT } },
      groups: [{ key: { ultimaAlteracao: '1900-01-01' }, count: 2 }],
    });
    const next = await admin.graphql(
      `query ($after: Cursor) { funcionariosAtivos(after: $after, itemsPerPage: 1, orderBy: [{ ultimaAlteracao: asc }],
        filter: { ultimaAlteracao: { gte: "${MIDNIGHT}" } }) { data { ultimaAlteracao } } }`,
      { after: data.funcionariosAtivos.nextCursor },
    );
    expect(next.data.funcionariosAtivos.data).toEqual([{ ultimaAlteracao: SECOND }]);
  });

  it('of a news item is shown, and the item can be pinned', async () => {
    await load('noticias', news, item(1, '1900-01-01'));
    const { data } = await admin.graphql(
      '{ noticias(orderBy: [{ publicadaEm: asc }], itemsPerPage: 1) { data { id publicadaEm } } }',
    );
    const [{ id, publicadaEm }] = data.noticias.data;
    expect(publicadaEm).toBe(MIDNIGHT);
    const pinned = await admin.put(`/institucional/noticias/${id}`, { fixada: true });
    expect(pinned).toMatchObject({ status: 200, body: { publicada_em: MIDNIGHT } });
    expect((await admin.get('/institucional/noticias?items=1')).body.data).toMatchObject([{ id }]);
  });

  it('of a plan is shown with its steps, and printed in local time', async () => {
    await load('planos-ensino', plans, plan('ANTIGO', DEPARTMENT));
    await load('tramitacoes-plano', steps, step('ANTIGO', DEPARTMENT, '1900-01-01'));
    const { id, tramitacoes } = await planOf('ANTIGO');
    expect(tramitacoes).toEqual([{ data: MIDNIGHT }]);
    const response = await fetch(`${admin.url}/academico/planos-ensino/gerar-pdf/${id}`, {
      headers: admin.headers,
    });
    expect(response.status).toBe(200);
    const text = (await pagesOf(new Uint8Array(await response.arrayBuffer()))).join(' ');
    expect(text).toMatch(/01\/01\/1900,? 00:00/);
    const rows = await rowsOf(admin, planReports.time, { ano: '1998' });
    expect(rows.find(row => row.codigo_disciplina === 'ANTIGO')!['desde']).toBe('1900-01-01');
  });
});

describe('an imported moment', () => {
  it('is of the years 1900 to 2199', async () => {
    const expected = 'data e hora, DD/MM/AAAA HH:MM:SS ou AAAA-MM-DD HH:MM:SS, de 1900 a 2199';
    const moments = ['0001-01-01 00:00+14:00', '31/12/1899 23:59', '2200-01-01', '9999-12-31 23:30:00'];
    expect(
      await refused('funcionarios', employees, ...moments.map((moment, n) => employee(10 + n, moment))),
    ).toEqual(moments.map((_, n) => [n + 2, 'ultima_alteracao', expected]));
    await load('funcionarios', employees, employee(20, '2199-12-31 23:59:59'));
  });
});

describe('what has not happened yet', () => {
  const past = 'um momento que já passou';

  it('is refused as a step of a plan, except for the differences of clocks', async () => {
    await load('planos-ensino', plans, plan('FUTURO', TEACHER));
    expect(
      await refused(
        'tramitacoes-plano',
        steps,
        step('FUTURO', DEPARTMENT, '2062-10-10 09:00'),
        step('FUTURO', BOARD, inMinutes(90)),
      ),
    ).toEqual([
      [2, 'data', past],
      [3, 'data', past],
    ]);
    await load('tramitacoes-plano', steps, step('FUTURO', DEPARTMENT, inMinutes(30)));
    expect(await planOf('FUTURO')).toMatchObject({ tramitacaoAtual: { descricao: DEPARTMENT } });
  });

  it('is refused as news, which it would put above all others', async () => {
    expect(await refused('noticias', news, item(62, '2062-01-01'), item(63, inMinutes(90)))).toEqual([
      [2, 'publicada_em', past],
      [3, 'publicada_em', past],
    ]);
    await load('noticias', news, item(64, inMinutes(30)));
  });

  it('is not the step of a plan, nor its time, if it was stored before', async () => {
    await load('planos-ensino', plans, plan('TYPO', BOARD));
    await service().sql(
      `insert into tramitacao_plano (id_plano_ensino, id_etapa, data, id_pessoa)
       select p.id, p.id_tramitacao_atual, '2062-10-10', 1 from plano_ensino p where codigo_disciplina = 'TYPO'`,
    );
    await load('tramitacoes-plano', steps, step('TYPO', DEPARTMENT, '2026-10-03 09:00'));
    expect(await planOf('TYPO')).toMatchObject({ tramitacaoAtual: { descricao: DEPARTMENT } });
    await load('planos-ensino', plans, plan('TYPO', DEPARTMENT));
    const time = (query: object) => rowsOf(admin, planReports.time, { ano: '1998', ...query });
    expect((await time({})).find(row => row.codigo_disciplina === 'TYPO')!['desde']).toBe('2026-10-03');
    expect((await time({ dias: '0' })).map(row => row.codigo_disciplina)).not.toContain('TYPO');
  });
});

it('a plan that an import of steps moves was changed by who imports', async () => {
  const [[author]] = (await service().sql(`select id from pessoa where usuario = 'admin'`)) as [[number]];
  await load('planos-ensino', plans, plan('AUTOR', TEACHER));
  await service().sql(`update plano_ensino set alterado_por = null where codigo_disciplina = 'AUTOR'`);
  await load('tramitacoes-plano', steps, step('AUTOR', DEPARTMENT, '2026-10-03 09:00'));
  expect(await planOf('AUTOR')).toMatchObject({ alteradoPor: author });
});
