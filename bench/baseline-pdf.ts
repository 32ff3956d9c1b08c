import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Request, Response } from 'express';
import { jsPDF } from 'jspdf';
import { query } from './baseline-pool.ts';

const resolve = createRequire(import.meta.url).resolve;
const font = readFileSync(resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'), 'base64');

const STOCK = `select m.titulo, m.descricao, m.numero_cas, f.nome as fabricante, l.cod_lote, r.nome as responsavel,
  a.nome as armazenado, e.quantidade, u.sigla
from estoque e
join lote l on l.id = e.id_lote
join material m on m.id = l.id_material
join unidade_medida u on u.id = m.id_unidade_medida
left join empresa f on f.id = l.id_fabricante
join local r on r.id = e.id_local_fim
join local a on a.id = e.id_local_armazenado
where e.quantidade > 0 and (m.titulo_busca like contains_pattern($1) or m.descricao_busca like contains_pattern($1))
order by m.titulo collate "pt_br", e.id`;

/** Columns: heading, width in millimetres, and where the value stands in a row. */
const COLUMNS: [title: string, width: number, name: string][] = [
  ['Material', 30, 'titulo'],
  ['Descrição', 35, 'descricao'],
  ['Número CAS', 16, 'numero_cas'],
  ['Fabricante', 23, 'fabricante'],
  ['Lote', 14, 'cod_lote'],
  ['Local responsável', 24, 'responsavel'],
  ['Local de armazenamento', 24, 'armazenado'],
  ['Quantidade', 14, 'quantidade'],
  ['Unidade', 8, 'sigla'],
];
const [LEFT, TOP, BOTTOM, LINE] = [12, 20, 280, 3.2];

/** What is in stock as a PDF: a table whose cells are wrapped, whose header each page repeats, and whose rows are shaded in turn. */
export async function stockPdf(req: Request, res: Response): Promise<void> {
  const { rows } = await query(STOCK, [req.query['material']]);
  const doc = new jsPDF({ format: 'a4', compress: true });
  doc.addFileToVFS('font.ttf', font);
  doc.addFont('font.ttf', 'DejaVu', 'normal');
  doc.setFont('DejaVu', 'normal').setFontSize(7);
  doc.text('Materiais estocados', LEFT, 12);
  let y = drawRow(
    doc,
    COLUMNS.map(([title]) => title),
    TOP,
    true,
  );
  rows.forEach((row, i) => {
    const cells = COLUMNS.map(([, , name]) => String(row[name] ?? ''));
    y = drawRow(doc, cells, y, i % 2 === 1);
  });
  const pages = doc.getNumberOfPages();
  for (let page = 1; page <= pages; page++) doc.setPage(page).text(`página ${page} de ${pages}`, 180, 290);
  res.type('application/pdf').send(Buffer.from(doc.output('arraybuffer')));
}

/** Draws a row, on a new page if it does not fit. Answers where the next one begins. */
function drawRow(doc: jsPDF, cells: string[], at: number, isShaded: boolean): number {
  const lines = cells.map((cell, i) => doc.splitTextToSize(cell, COLUMNS[i]![1] - 2) as string[]);
  const height = Math.max(...lines.map(cell => cell.length)) * LINE + 2;
  let y = at;
  if (y + height > BOTTOM) {
    doc.addPage();
    y = drawRow(
      doc,
      COLUMNS.map(([title]) => title),
      TOP,
      true,
    );
  }
  if (isShaded) doc.setFillColor(241, 244, 248).rect(LEFT, y, 188, height, 'F');
  let x = LEFT + 1;
  lines.forEach((cell, i) => {
    doc.text(cell, x, y + LINE);
    x += COLUMNS[i]![1];
  });
  return y + height;
}
