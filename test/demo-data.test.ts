import { readFile } from 'node:fs/promises';
import { extractText } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { ghsIcons } from '../src/database/reference/ghs.ts';
import { demoCalendar } from '../src/demo/calendar.ts';
import { demoPath, demoRecords } from '../src/demo/files.ts';
import { systemHeaders } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { useService } from './support/service.ts';

describe('the GHS pictograms', () => {
  test('are the nine of the system, in order', () => {
    expect(ghsIcons.map(icon => icon.codigo)).toEqual(Array.from({ length: 9 }, (_, i) => `GHS0${i + 1}`));
    expectDistinct(ghsIcons.map(icon => icon.nome));
    expectDistinct(ghsIcons.map(icon => icon.icone));
  });

  test.each(ghsIcons)('$codigo is well-formed SVG in a data URI of under 3 kB', ({ icone }) => {
    const [, encoded] = /^data:image\/svg\+xml;charset=utf-8,([^<>"'#\s]+)$/.exec(icone) ?? [];
    expect(icone.length).toBeLessThan(3000);
    const svg = decodeURIComponent(encoded ?? '');
    expect(svg).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' viewBox='0 0 100 100'>/);
    expect(malformation(svg)).toBeUndefined();
  });

  test.each(["<svg><path d='M0 0'></svg>", '<svg><path d=M0/></svg>', '<svg/><svg/>', '<svg>'])(
    'would not pass as %s',
    broken => expect(malformation(broken)).toBeDefined(),
  );
});

describe("the demo's dates", () => {
  const cells = [
    '{dia:-1}',
    '{util:-1}',
    '{ano:0}/{semestre:0}',
    '{ano:-3}/{semestre:-3}',
    '{dia:30} 10:00Z',
  ];

  test.each([
    ['2026-11-21', ['2026-11-20', '2026-11-19', '2026/2', '2025/1', '2026-12-21 10:00Z']],
    ['2027-01-01', ['2026-12-31', '2026-12-31', '2027/1', '2025/2', '2027-01-31 10:00Z']],
    ['2028-03-01', ['2028-02-29', '2028-02-29', '2028/1', '2026/2', '2028-03-31 10:00Z']],
  ])('count from %s', (today, expected) => {
    expect(cells.map(demoCalendar(today))).toEqual(expected);
  });

  test.each(['2026-11-21', '2027-10-12', '2028-02-29', '2029-03-04'])(
    'of movements lie within the year before %s, in office hours, none before the movements that it follows',
    async today => {
      const movements = await demoRecords('movimentacoes', demoCalendar(today));
      const moments = movements.map(({ data }) => Date.parse(data!));
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      const year = 365 * 86_400_000;
      expect(moments[0]).toBeGreaterThan(Date.parse(today) - year);
      expect(moments.at(-1)).toBeLessThan(Date.parse(today));
    },
  );
});

describe("the demo's chemicals", async () => {
  const materials = await demoRecords('materiais');
  const values = (column: string): string[] => materials.flatMap(material => material[column] ?? []);

  test('are sixty, of every physical state, and of none, one and every control type', async () => {
    expect(materials).toHaveLength(60);
    expect(new Set(values('estado_fisico'))).toEqual(new Set('SLGP'));
    const controls = (await demoRecords('tipos-controle')).map(({ descricao }) => descricao);
    expect(new Set(materials.map(material => material['tipo_controle_descricao']))).toEqual(
      new Set([...controls, null]),
    );
  });

  test('have CAS numbers with the right check digit, and six-digit CATMAT codes where they have one', () => {
    expect(values('numero_cas').filter(cas => !isCasNumber(cas))).toEqual([]);
    expect(isCasNumber('67-64-2')).toBe(false);
    for (const catmat of values('catmat')) expect(catmat).toMatch(/^\d{6}$/);
  });

  test('have unique titles, CAS numbers and CATMAT codes', () => {
    for (const column of ['titulo', 'numero_cas', 'catmat']) expectDistinct(values(column));
  });

  test('have every risk of the list, and the list every pictogram', async () => {
    const risks = await demoRecords('classificacoes-risco');
    expect(new Set(values('riscos').flatMap(cell => cell.split(' | ')))).toEqual(
      new Set(risks.map(({ risco }) => risco)),
    );
    expect(new Set(risks.map(risk => risk['icone_risco_nome']))).toEqual(
      new Set(ghsIcons.map(({ nome }) => nome)),
    );
  });
});

describe("the demo's people", () => {
  test('have different CPFs with the right check digits', async () => {
    const numbers = (await demoRecords('pessoas')).flatMap(({ cpf }) => cpf ?? []);
    expect(numbers).toHaveLength(50);
    expectDistinct(numbers);
    expect(numbers.filter(cpf => !isCpf(cpf))).toEqual([]);
    expect(isCpf('11144477735')).toBe(true);
    expect(isCpf('11144477736')).toBe(false);
  });

  test('hold managerial accounts with a password, without one, suspended, and held by nobody', async () => {
    const accounts = await demoRecords('contas-gerenciais');
    const withPassword = (await demoRecords('senhas-contas')).length;
    expect(withPassword).toBeGreaterThan(0);
    expect(withPassword).toBeLessThan(accounts.length);
    expect(accounts.filter(({ suspensa }) => suspensa === 'sim')).not.toHaveLength(0);
    expect(accounts.filter(({ responsaveis }) => responsaveis === null)).not.toHaveLength(0);
  });
});

describe('the demo', () => {
  const service = useService();
  const rows = (text: string): Promise<unknown[][]> => service().sql(text);

  test('has a side menu of every area, and everybody may do what their menu shows', async () => {
    const areas = await rows(`select distinct split_part(c.nome, '/', 1) from item_menu i
      join controller c on c.id = i.id_controller order by 1`);
    expect(areas.flat()).toEqual([
      'academico',
      'almoxarifadoquimicos',
      'arquivosdigitais',
      'institucional',
      'permissoes',
      'relatorios',
    ]);
    const { body } = await (await service().as('admin')).get('/permissoes/menu_lateral');
    expect(body.data).toHaveLength((await rows('select count(*)::int from menu'))[0]![0] as number);
    for (const usuario of ['admin', 'almoxarife', 'tecnico']) {
      const client = await service().as(usuario);
      const menus = (await client.get('/permissoes/menu_lateral')).body.data as Menu[];
      const lines = menus.flatMap(({ itens }) => itens.map(({ controller }) => controller.nome));
      expect(lines.length).toBeGreaterThan(5);
      // Alerts exist only in GraphQL.
      expect((await client.graphql('{ alertas { total } }')).errors).toBeUndefined();
      const apart = new Set(['academico/planos-ensino', 'almoxarifadoquimicos/alertas']);
      for (const path of lines.filter(nome => !apart.has(nome)))
        expect([path, (await client.with(systemHeaders).get(`/${path}`)).status]).toEqual([
          path,
          needsMore(path),
        ]);
    }
  });

  test('has people in every profile, and profiles of every level', async () => {
    const [profiles] = await rows(`
      select count(*)::int, bool_and(exists (select from permissao p where p.id_perfil = f.id)),
        (select count(distinct nivel)::int from perfil_recurso_item) from perfil f`);
    expect(profiles).toEqual([7, true, 3]);
  });

  test('has employees, news, students of two years and files of every kind', async () => {
    const [counts] = await rows(`
      select (select count(*)::int from funcionario) >= 40, (select count(*)::int from noticia) >= 10,
        (select count(distinct id_pessoa)::int from vinculo_discente) >= 10,
        (select count(distinct (ano, periodo))::int from atividade_curriculo_discente) = 4`);
    expect(counts).toEqual([true, true, true, true]);
    const kinds = await rows('select distinct tipo_mime from arquivo_digital order by 1');
    expect(kinds.flat()).toEqual([
      'application/pdf',
      'application/xml',
      'image/png',
      'text/csv',
      'text/plain',
    ]);
  });

  test('has a PDF that can be read', async () => {
    const bytes = await readFile(demoPath('arquivos/ata do colegiado.pdf'));
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
    expect(text).toContain('O plano de ensino foi aprovado por unanimidade.');
  });
});

interface Menu {
  itens: { controller: { nome: string } }[];
}

/** The answer of a list without its required filters. */
const needsMore = (controller: string): number =>
  controller.endsWith('atividade-curriculo-discente') ? 400 : 200;

describe('the demo stock', () => {
  const service = useService();
  const rows = (text: string): Promise<unknown[][]> => service().sql(text);

  test('is 150 batches of all materials: expired, soon to expire, good for long, without expiry, empty', async () => {
    expect(await rows('select count(*)::int, count(distinct id_material)::int from lote')).toEqual([
      [150, 60],
    ]);
    const [kinds] = await rows(`
      select count(*) filter (where data_venc < current_date)::int,
        count(*) filter (where data_venc between current_date and current_date + 30)::int,
        count(*) filter (where data_venc between current_date + 31 and current_date + 90)::int,
        count(*) filter (where data_venc > current_date + 90)::int, count(*) filter (where data_venc is null)::int,
        count(*) filter (where cod_lote is null)::int,
        count(*) filter (where not exists (select from estoque e where e.id_lote = l.id and e.quantidade > 0))::int,
        count(*) filter (where data_venc < current_date
          and exists (select from estoque e where e.id_lote = l.id and e.quantidade > 0))::int
      from lote l`);
    expect((kinds as number[]).filter(count => count < 5)).toEqual([]);
    const [expiredFirst] = await rows(`
      select count(*)::int from lote l join movimentacao m on m.id_lote = l.id where l.data_venc < m.data::date
        and m.id_tipo_movimentacao in (1, 2)`);
    expect(expiredFirst).toEqual([0]);
  });

  test('came with invoices, some of them incomplete', async () => {
    const [invoices] = await rows(`
      select count(*)::int, count(data_recebimento)::int, count(link_nf)::int, count(processo_sei) < count(*),
        min(data_emissao) > current_date - interval '13 months' from nota_fiscal`);
    expect(invoices).toEqual([25, 22, 1, true, true]);
    const [items] = await rows('select count(*)::int, count(distinct id_lote)::int from item_nota_fiscal');
    expect(items).toEqual([110, 110]);
  });

  test('moved in every way, over a year of office hours, at the storeroom and all laboratories', async () => {
    const [year] = await rows(`
      select count(*) between 1200 and 1800, count(distinct id_tipo_movimentacao)::int,
        count(distinct date_trunc('month', data)) >= 11, count(distinct fl_estorno)::int,
        min(data) > now() - interval '12 months', max(data) < now(), bool_and(extract(isodow from data) < 6),
        bool_and(extract(hour from data) between 8 and 17)
      from movimentacao`);
    expect(year).toEqual([true, 5, true, 2, true, true, true, true]);
    const [places] = await rows(`
      select count(distinct id_local_fim)::int, count(distinct id_local_armazenado)::int,
        bool_or(id_local_fim <> id_local_armazenado and quantidade > 0) from estoque`);
    expect(places).toEqual([6, 6, true]);
  });

  test('needed approval if controlled, which was mostly given; the latest requests are pending', async () => {
    const [requests] = await rows(`
      select count(*) filter (where situacao = 'P') between 5 and 12,
        count(*) filter (where situacao = 'R') between 5 and 40, count(*) filter (where situacao = 'A') > 300,
        count(motivo) = count(*) filter (where situacao = 'R'), bool_and((situacao = 'P') = (decidido_em is null)),
        bool_and((situacao = 'P') = (decidido_por is null)), bool_and(solicitado_por <> coalesce(decidido_por, 0)),
        coalesce(max(decidido_em) < now(), false), bool_and(decidido_em > solicitado_em)
      from solicitacao_aprovacao`);
    expect(requests).toEqual(Array.from({ length: 9 }, () => true));
  });

  test('has the days on which each movement happened, so that lists can be filtered by them', async () => {
    const [days] = await rows(`
      select bool_and(m.criado_em = m.data), bool_and(l.criado_em <= m.criado_em),
        bool_and(n.criado_em <= l.criado_em) filter (where n.id is not null), bool_and(s.criado_em = s.solicitado_em)
      from movimentacao m join lote l on l.id = m.id_lote left join nota_fiscal n on n.id = m.id_nota_fiscal
      left join solicitacao_aprovacao s on s.id_movimentacao = m.id`);
    expect(days).toEqual([true, true, true, true]);
  });

  test('is the sum of its movements', () => expectBalanced(service()));

  test('is stored where somebody is the manager', async () => {
    const managed = await rows(`
      select sigla from local l where not exists (select from responsavel_laboratorio r where r.id_local = l.id)`);
    expect(managed).toEqual([]);
  });
});

function expectDistinct(values: readonly string[]): void {
  expect(values).toEqual([...new Set(values)]);
}

/** The last digit is a sum modulo 10: each other digit times its position from the right. */
function isCasNumber(cas: string): boolean {
  if (!/^[1-9]\d{1,6}-\d\d-\d$/.test(cas)) return false;
  const [check = 0, ...digits] = cas.replaceAll('-', '').split('').map(Number).toReversed();
  return digits.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === check;
}

/**
 * Each of the last two digits makes the weighted sum of all before it, and itself, a multiple of 11; 10 counts as 0.
 */
function isCpf(cpf: string): boolean {
  const digits = Array.from(cpf, Number);
  return [9, 10].every(at => {
    const sum = digits.slice(0, at).reduce((total, digit, i) => total + digit * (at + 1 - i), 0);
    const rest = 11 - (sum % 11);
    return digits[at] === (rest > 9 ? 0 : rest);
  });
}

/** The reason why `xml` is not a single well-formed element without text; undefined if it is. */
function malformation(xml: string): string | undefined {
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z-]+='[^'<&]*')*)(\/?)>/gy;
  while (tag.lastIndex < xml.length) {
    const at = tag.lastIndex;
    const [, closing, name = '', , empty] = tag.exec(xml) ?? [];
    if (!name || (at > 0 && !open.length)) return xml.slice(at);
    if (closing) {
      if (open.pop() !== name) return xml.slice(at);
    } else if (!empty) open.push(name);
  }
  return open.at(-1);
}
