import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractImages, getDocumentProxy, getMeta } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../src/errors.ts';
import { PdfWriter } from '../src/reports/pdf/writer.ts';
import type { Client } from './support/client.ts';
import { temporaryFolder } from './support/folder.ts';
import { boxesOf, boxesOnPages, DPI, drawn, pagesOf, taggedPages } from './support/pdf.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService } from './support/service.ts';

/** A picture of 24 by 12 pixels. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAMCAMAAABP7o1HAAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAAJFBMVEUAAIAXF4suLpdFRaJcXK5zc7mLi8WiotC5udzQ0Ofn5/P///9Oe/v0AAAAAWJLR0QLH9fEwAAAAAd0SU1FB+oLFQQ0IgJfHjcAAAApSURBVBjTdcGBAQAQDMCwmhnm/39d0ATMEIRgClKwBCXYgiO4ghY88QFSQgYxkKBryAAAACV0RVh0ZGF0ZTpjcmVhdGUAMjAyNi0xMS0yMVQwNDo1MjozNCswMDowMHlnsyMAAAAldEVYdGRhdGU6bW9kaWZ5ADIwMjYtMTEtMjFUMDQ6NTI6MzQrMDA6MDAIOgufAAAAAElFTkSuQmCC';

const service = useService();
const path = (id: number): string => `/academico/planos-ensino/gerar-pdf/${id}`;

async function download(client: Client, id: number): Promise<{ headers: Headers; bytes: Uint8Array }> {
  const response = await fetch(client.url + path(id), { headers: client.headers });
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const planWith = async (sql: string): Promise<number> =>
  (await service().sql(`select id from plano_ensino p where ${sql} order by id limit 1`))[0]![0] as number;

/** A copy of a plan with other texts. */
async function copyWith(texts: Record<string, string | null>): Promise<number> {
  const names = Object.keys(texts);
  const columns =
    'id_curso, id_departamento, codigo_disciplina, nome_disciplina, carga_horaria, ano, semestre, id_situacao, id_tramitacao_atual';
  const [row] = await service().sql(
    `insert into plano_ensino (${[columns, ...names].join(', ')})
     select ${[columns, ...names.map((_, i) => `$${i + 1}`)].join(', ')} from plano_ensino order by id limit 1 returning id`,
    Object.values(texts),
  );
  return row![0] as number;
}

describe('the PDF of a teaching plan', () => {
  it('is shown by browsers under a name of its own, and cannot be sniffed as another type', async () => {
    const { headers, bytes } = await download(await service().as('admin'), 7);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('inline; filename="plano-ensino-7.pdf"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Number(headers.get('content-length'))).toBe(bytes.length);
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    const head = await (await service().as('admin')).raw(path(7), { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers.get('content-type')).toBe('application/pdf');
  });

  it('has everything that the plan has, in order, and who signs it', async () => {
    const id = await planWith(`codigo_disciplina = 'QUI0320' and exists (
      select from situacao_plano_ensino s where s.id = p.id_situacao and s.codigo = 'PU')`);
    const { bytes } = await download(await service().as('admin'), id);
    const text = (await pagesOf(bytes)).join(' ');
    const [[ano, semestre]] = (await service().sql('select ano, semestre from plano_ensino where id = $1', [
      id,
    ])) as [[number, number]];
    const inOrder = [
      'Universidade',
      'PLANO DE ENSINO',
      'QUI0320 – Química Analítica Quantitativa',
      'Química (Bacharelado) – Presencial',
      'Departamento de Química',
      `${ano}, ${semestre}º semestre`,
      '90 horas',
      'Caio Montenegro Reis; Otávio Queiroz Pamplona',
      'Publicado (PU)',
      'Ementa',
      'Gravimetria. Volumetrias de neutralização',
      'Objetivos',
      'Programa',
      '4.1 Curvas de titulação de ácidos polipróticos',
      'Metodologia',
      'Avaliação',
      'É aprovado quem obtém MF ≥ 6,0',
      'Bibliografia básica',
      'HARRIS, D. C. Análise química quantitativa.',
      'Bibliografia complementar',
      'Tramitação',
      'Pró-Reitoria de Graduação',
      'Disponível aos estudantes',
      'Assinaturas',
      'Chefia do departamento',
    ];
    let from = 0;
    for (const part of inOrder) {
      const at = text.indexOf(part, from);
      expect(at, `${part} after ${text.slice(Math.max(0, from - 30), from)}`).toBeGreaterThanOrEqual(0);
      from = at;
    }
  });

  it('has its title, its language and an outline', async () => {
    const id = await planWith(`codigo_disciplina = 'QUI0415'`);
    const { bytes } = await download(await service().as('admin'), id);
    const pdf = await getDocumentProxy(bytes.slice());
    const { info } = await getMeta(pdf);
    expect(info['Title']).toMatch(/^Plano de ensino: QUI0415 – Termodinâmica Química \(\d{4}\/[12]\)$/);
    expect(info['Author']).toBe('Universidade');
    expect(info['Language']).toBe('pt-BR');
    expect(await pdf.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
    const outline = (await pdf.getOutline()).map(entry => entry.title);
    expect(outline.slice(0, 3)).toEqual(['Ementa', 'Objetivos', 'Programa']);
    expect(outline).toContain('Tramitação');
  });

  it('prints Portuguese and Greek correctly, and no invisible characters', async () => {
    const letters =
      'ÁÀÂÃÇÉÊÍÓÔÕÚÜáàâãçéêíóôõúü ªº°§ “aspas” – — … µ μ α β γ δ ε λ σ π Δ Σ Ω ≤ ≥ ≠ ≈ ± × ÷ → ∞ √ H₂SO₄ 10⁻³';
    const id = await copyWith({ ementa: `${letters} a\u0301 \u0007fim` });
    const [page] = await pagesOf((await download(await service().as('admin'), id)).bytes);
    expect(page).toContain(`${letters} á fim`);
  });

  it.each([
    ['ends a line at each of its signs', 'um\vdois\ftrês\x85quatro', 'um dois três quatro'],
    ['prints a word for which no font has its one sign', 'والله', 'ﻭﺍﻟﻠﻪ'],
    ['joins Arabic letters that have marks', 'مُحَمَّد', 'ﻣُﺤَﻤَّﺪ'],
    ['keeps the marks of letters that become one', 'لَا', 'ﻻَ'],
    ['prints letters of formulas as usual ones', '𝑥² + 𝜆 = 𝐇', 'x² + λ = H'],
  ])('%s', async (_, ementa, printed) => {
    const id = await copyWith({ ementa: `${ementa}.` });
    const { bytes } = await download(await service().as('admin'), id);
    const letters = (text: string): string => Array.from(text).toSorted().join('');
    const shown = (await pagesOf(bytes))[0]!.replace(/.*Ementa (.*) Objetivos .*/, '$1');
    expect(letters(shown)).toBe(letters(`${printed}.`));
    expect(shown).not.toContain('□');
  });

  it('prints Chinese, Japanese, Korean, Hebrew and emoji, and a box for what no font has', async () => {
    const shown = ['漢字', '繁體', 'ひら', '한국', '😀', '🧪', 'Ж', 'א', '□'];
    const id = await copyWith({ ementa: [...shown, 'fim ण.'].join('\n'), objetivos: '中文'.repeat(100) });
    const { bytes } = await download(await service().as('admin'), id);
    const [page] = await pagesOf(bytes);
    expect(page).toContain(`${shown.join(' ')} fim □.`);
    expect(page).toContain('中文'.repeat(20));
    // The file contains only the characters of the plan, from fonts of several megabytes.
    expect(bytes.length).toBeLessThan(100_000);
    const canvas = await drawn(bytes, 1);
    const boxes = (await boxesOf(bytes)).filter(({ text, points }) => points === 10 && shown.includes(text));
    const pixels = boxes.map(({ left, right, base }) => {
      const [x, y, width, height] = [left, base - 3.4, right - left, 4.4].map(mm =>
        Math.round((mm * DPI) / 25.4),
      );
      const { data } = canvas.getContext('2d').getImageData(x!, y!, width!, height!);
      return data.filter((_, i) => i % 4 === 0).map(red => (red < 128 ? 1 : 0));
    });
    expect(boxes.map(({ text }) => text)).toEqual(shown);
    for (const ink of pixels) expect(ink.reduce((sum, dark) => sum + dark, 0)).toBeGreaterThan(100);
    expect(new Set(pixels.map(String)).size).toBe(shown.length);
  });

  it('keeps indents and tabs, and further lines begin where the text of the first one does', async () => {
    const long = 'texto que é comprido demais para caber em uma só linha da página, '.repeat(2);
    const programa = `Raiz\n  a) Recuo ${long}\n\t- Tab ${long}\n          Livre ${long}\nUm\tdois\nDez\tonze`;
    const id = await copyWith({ programa });
    const boxes = await boxesOf((await download(await service().as('admin'), id)).bytes);
    const at = (start: string): number => boxes.findIndex(({ text }) => text.startsWith(start));
    const left = (index: number): number => boxes[index]!.left;
    const margin = left(at('Raiz'));
    expect(left(at('a) Recuo'))).toBeGreaterThan(margin + 1);
    expect(left(at('- Tab'))).toBeGreaterThan(left(at('a) Recuo')) + 2);
    expect(left(at('Livre'))).toBeGreaterThan(left(at('- Tab')) + 1);
    // Aligned with the text, not with its marker.
    expect(left(at('a) Recuo') + 1) - left(at('a) Recuo'))).toBeCloseTo(4.2, 1);
    expect(left(at('- Tab') + 1) - left(at('- Tab'))).toBeCloseTo(2.2, 1);
    expect(left(at('Livre') + 1)).toBeCloseTo(left(at('Livre')), 1);
    const pages = await pagesOf((await download(await service().as('admin'), id)).bytes);
    expect(pages.join(' ')).toContain('Raiz a) Recuo texto que é');
    expect(pages.join(' ')).toMatch(/Um dois Dez onze/);
  });

  it('tells a screen reader its headings, paragraphs and tables, and not what each page repeats', async () => {
    const id = await copyWith({ ementa: 'palavra '.repeat(1500), objetivos: 'Primeiro.\nSegundo.' });
    await service().sql(
      `insert into tramitacao_plano (id_plano_ensino, id_etapa, data, id_pessoa, observacao)
       select $1, (select min(id) from etapa_tramitacao), timestamptz '2026-03-10 12:00Z' + n * interval '1 day', 1,
         case n when 40 then null else 'Passo ' || n end from generate_series(1, 60) n`,
      [id],
    );
    const { bytes } = await download(await service().as('admin'), id);
    expect(await (await getDocumentProxy(bytes.slice())).getMarkInfo()).toMatchObject({ Marked: true });
    const pages = await taggedPages(bytes);
    const parts = pages.flatMap(page => page.parts);
    const textsOf = (role: string): string[] =>
      parts.filter(part => part.role === role).map(({ text }) => text.trim());
    expect(textsOf('H1')).toEqual(['PLANO DE ENSINO']);
    expect(textsOf('H2')).toHaveLength(1);
    expect(textsOf('H3').join(', ')).toBe(
      'Ementa, Objetivos, Programa, Metodologia, Avaliação, Bibliografia básica, Bibliografia complementar, Tramitação, Assinaturas',
    );
    const paragraphs = textsOf('P');
    expect(paragraphs.indexOf('Segundo.')).toBe(paragraphs.indexOf('Primeiro.') + 1);
    expect(paragraphs.join(' ').match(/\bpalavra\b/g)).toHaveLength(1500);
    const rows = parts.filter(({ role }) => role === 'Table').flatMap(table => table.parts);
    expect(rows).toHaveLength(61);
    expect(rows[0]!.parts.map(({ role, text }) => [role, text])).toEqual(
      ['Etapa', 'Desde', 'Encaminhado por', 'Observação'].map(title => ['TH', title]),
    );
    for (const [n, { role, parts: cells }] of rows.slice(1).entries()) {
      expect(role).toBe('TR');
      expect(cells.map(cell => cell.role)).toEqual(['TD', 'TD', 'TD', 'TD']);
      expect(cells[3]!.text).toBe(n === 39 ? '' : `Passo ${n + 1}`);
    }
    pages.forEach(({ untold }, i) => expect(untold).toContain(`página ${i + 1} de ${pages.length}`));
    const [, next] = pages.filter(page => page.parts.some(({ role, text }) => role === 'Table' && text));
    expect(next!.untold).toContain('Etapa');
  });

  it('says which fields are empty, and needs only one page then', async () => {
    const id = await copyWith({});
    const pages = await pagesOf((await download(await service().as('admin'), id)).bytes);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('Ementa Não informado. Objetivos Não informado.');
    expect(pages[0]).toContain('Ainda sem tramitação.');
    expect(pages[0]).toContain('página 1 de 1');
  });

  it('continues long texts over pages without losing a word, and each page has the title', async () => {
    const words = Array.from({ length: 4000 }, (_, i) => `palavra${i}`);
    const items = Array.from(
      { length: 200 },
      (_, i) =>
        `${i + 1}. Item número ${i + 1}, que ocupa mais de uma linha porque diz muito do que se ensina nesta unidade do programa.`,
    );
    const id = await copyWith({
      ementa: words.join(' '),
      programa: items.join('\n'),
      metodologia: 'x'.repeat(3000),
    });
    const pages = await pagesOf((await download(await service().as('admin'), id)).bytes);
    expect(pages.length).toBeGreaterThan(10);
    const whole = pages
      .map((page, i) => {
        expect(page).toContain(`página ${i + 1} de ${pages.length}`);
        if (i > 0) expect(page.includes('Plano de ensino · QUI0101 – Química Geral I')).toBe(true);
        return page;
      })
      .join(' ');
    expect(whole.match(/palavra\d+/g)).toEqual(words);
    expect(whole.match(/Item número \d+/g)).toHaveLength(200);
    expect(whole.match(/x{20,}/g)!.join('')).toHaveLength(3000);
  });

  it('continues a box of values that is longer than a page, on the paper and above the footer', async () => {
    const id = await copyWith({});
    await service().sql(
      `with made as (
         insert into pessoa (usuario, nome, email)
         select 'docente.' || n, 'Docente número ' || n || ' de um nome comprido que enche a linha da caixa',
           'docente.' || n || '@universidade.example'
         from generate_series(1, 120) n returning id
       ) insert into docente_plano (id_plano_ensino, id_pessoa) select $1, id from made`,
      [id],
    );
    const { bytes } = await download(await service().as('admin'), id);
    const pages = await boxesOnPages(bytes);
    for (const page of pages)
      for (const { base, points, text } of page)
        expect(base, text).toBeLessThanOrEqual(points === 8 ? 297 - 6 : 297 - 20);
    const values = pages.flat().filter(({ points }) => points === 10);
    const named = values.map(({ text }) => text).join(' ');
    expect(named.match(/número \d+/g)).toHaveLength(120);
    const told = (await taggedPages(bytes)).flatMap(({ parts }) => parts);
    expect(told.filter(({ text }) => text.startsWith('Docentes'))).toHaveLength(1);
  });

  it('keeps a heading on the page of the text that follows it', async () => {
    for (let lines = 28; lines < 40; lines++) {
      const id = await copyWith({
        ementa: Array.from({ length: lines }, (_, i) => `Linha ${i}`).join('\n'),
        objetivos: 'Saber.',
      });
      const pages = await pagesOf((await download(await service().as('admin'), id)).bytes);
      for (const [heading, text] of [
        ['Objetivos', 'Saber.'],
        ['Programa', 'Não informado.'],
      ] as const)
        expect(
          pages.filter(page => page.includes(`${heading} ${text}`)),
          `${heading} after ${lines}`,
        ).toHaveLength(1);
    }
  });

  it('repeats the header of a table, and prints the whole of a remark that is longer than a page', async () => {
    const id = await copyWith({});
    const remark = Array.from({ length: 1500 }, (_, i) => `nota${i}`).join(' ');
    await service().sql(
      `insert into tramitacao_plano (id_plano_ensino, id_etapa, data, id_pessoa, observacao)
       select $1, (select min(id) from etapa_tramitacao), timestamptz '2026-03-10 12:00Z' + n * interval '1 day', 1,
         case n when 5 then $2 else 'Passo ' || n end
       from generate_series(1, 60) n`,
      [id, remark],
    );
    const pages = await pagesOf((await download(await service().as('admin'), id)).bytes);
    const tables = pages.filter(page => /Passo|nota/.test(page));
    expect(tables.length).toBeGreaterThan(3);
    for (const page of tables) expect(page).toContain('Etapa Desde Encaminhado por Observação');
    const text = pages.join(' ');
    expect(text.match(/nota\d+/g)).toHaveLength(1500);
    expect(text.match(/Passo \d+/g)).toHaveLength(59);
    // Noon in UTC is nine o'clock at the institution.
    expect(text).toContain('11/03/2026, 09:00');
  });

  it('is for its teachers, and for people who may read plans', async () => {
    const taught = await planWith(`codigo_disciplina = 'QUI0415'`);
    const foreign = await planWith(`codigo_disciplina = 'BIO0301'`);
    const docente = await service().as('docente');
    await download(docente, taught);
    expectProblem(await docente.get(path(foreign)), 403, 'FORBIDDEN');
    expectProblem(await (await service().as('discente')).get(path(taught)), 403, 'FORBIDDEN');
    expectProblem(await service().anyone.get(path(taught)), 401, 'UNAUTHENTICATED');
    expectProblem(await (await service().as('admin')).get(path(2_000_000)), 404, 'NOT_FOUND');
    expectProblem(
      await (await service().as('admin')).get('/academico/planos-ensino/gerar-pdf/x'),
      400,
      'BAD_REQUEST',
    );
    expectProblem(await (await service().as('admin')).post(path(taught)), 405, 'METHOD_NOT_ALLOWED');
  });

  it('is documented as a PDF', async () => {
    const { body } = await service().anyone.get('/openapi.json');
    const { responses } = body.paths['/academico/planos-ensino/gerar-pdf/{id}'].get;
    expect(Object.keys(responses['200'].content)).toEqual(['application/pdf']);
  });

  it('has the name and the logo of the institution', async () => {
    const folder = await temporaryFolder();
    const INSTITUTION_LOGO = join(folder, 'logo.png');
    await writeFile(INSTITUTION_LOGO, LOGO, 'base64');
    const INSTITUTION_NAME = 'Instituto de Ciências do Açaí';
    const named = await startService({ INSTITUTION_NAME, INSTITUTION_LOGO }, service());
    try {
      const { bytes } = await download(await named.as('admin'), 7);
      expect((await pagesOf(bytes))[0]).toMatch(/^Instituto de Ciências do Açaí PLANO DE ENSINO/);
      const [image, ...others] = await extractImages(bytes.slice(), 1);
      expect([image!.width, image!.height, others.length]).toEqual([24, 12, 0]);
    } finally {
      await named.stop();
      await rm(folder, { recursive: true });
    }
  });
});

describe('the letterhead', () => {
  const sentence =
    'Instituto Federal de Educação, Ciência e Tecnologia do Sul do Vale do Paranapiacaba Meridional e das Águas Termais, Campus 2';
  const table = { name: 'x', title: 'Materiais estocados', columns: [] };

  it.each([
    ['a long name', sentence],
    ['a name of one long word', `Hidro${'termo'.repeat(23)}`],
    ['a name that needs many lines', `${sentence} ${sentence} ${sentence}`],
  ])('shows %s whole, beside the logo and above the rest', async (_, name) => {
    const logo = Buffer.from(LOGO, 'base64');
    const writer = new PdfWriter({ institution: { name, logo }, timeZone: 'America/Sao_Paulo' });
    try {
      for (const [orientation, width] of [
        ['portrait', 210],
        ['landscape', 297],
      ] as const) {
        const data = { table, orientation, rows: [], filters: [], issuedBy: 'Ana' };
        const boxes = await boxesOf(await writer.write('tabela', new Date(), data));
        const kind = boxes.findIndex(({ text }) => text === 'MATERIAIS ESTOCADOS');
        const lines = boxes.slice(0, kind);
        expect(
          lines
            .map(({ text }) => text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(name.replace(/\s/g, ''));
        // The logo is 36 mm wide.
        for (const { left, right, points } of boxes.slice(0, kind + 1)) {
          expect(left).toBeGreaterThan(12 + 36);
          expect(right).toBeLessThan(width - 12 + 0.1);
          expect(points).toBeGreaterThanOrEqual(9);
        }
        boxes
          .slice(1, kind + 2)
          .forEach(({ base, points }, i) => expect(base - boxes[i]!.base).toBeGreaterThan(points * 0.35));
      }
    } finally {
      await writer.close();
    }
  });
});

describe('the writer', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const settings = { institution: { name: 'Universidade' }, timeZone: 'America/Sao_Paulo' };
  const named = { nome: 'Nome', codigo: 'C', descricao: 'Descrição', modalidade: 'Presencial' };
  const plan = {
    id: 1,
    curso: named,
    departamento: named,
    situacao: named,
    tramitacao_atual: named,
    docentes: [],
    tramitacoes: [],
  };

  async function withWriter(work: (writer: PdfWriter) => Promise<void>): Promise<void> {
    const writer = new PdfWriter(settings);
    try {
      await work(writer);
    } finally {
      await writer.close();
    }
  }

  it('goes on after a record that it cannot write', () =>
    withWriter(async writer => {
      const broken = writer.write('plano-ensino', now, { ...plan, curso: null });
      const whole = writer.write('plano-ensino', now, {
        ...plan,
        codigo_disciplina: 'X',
        nome_disciplina: 'Y',
      });
      await expect(broken).rejects.toThrow(TypeError);
      expect(await pagesOf(await whole)).toEqual([expect.stringContaining('X – Y')]);
    }));

  it('writes one document of each person in turn, however many one of them requests', () =>
    withWriter(async writer => {
      await writer.write('plano-ensino', now, plan);
      const order: string[] = [];
      const ask = (name: string, idPessoa: number) =>
        writer.write('plano-ensino', now, async () => (order.push(name), plan), idPessoa);
      await Promise.all([ask('first', 1), ask('first again', 1), ask('second', 2)]);
      expect(order).toEqual(['first', 'second', 'first again']);
    }));

  it('refuses a document when twenty wait, and writes all that wait no longer than ten seconds', () =>
    withWriter(async writer => {
      const start = performance.now();
      const written = await Promise.all(
        Array.from({ length: 25 }, () =>
          writer.write('plano-ensino', now, plan).then(
            () => 'written',
            (error: AppError) => {
              const { retryAfter } = error.details;
              return { code: error.code, retryAfter, early: performance.now() < start + 10_000 };
            },
          ),
        ),
      );
      const refused = { code: 'UNAVAILABLE', retryAfter: 10 };
      expect(written.slice(20)).toEqual(Array.from({ length: 5 }, () => ({ ...refused, early: true })));
      // A busy machine may need longer for all of them.
      for (const one of written.slice(0, 20))
        expect(['written', { ...refused, early: false }]).toContainEqual(one);
      expect(written[0]).toBe('written');
    }));
});
