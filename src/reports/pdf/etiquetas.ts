import type { Issue } from './issue.ts';
import { LabelPen, lineOf, type LabelFont } from './label-pen.ts';
import { addPicture, picture } from './pictures.ts';
import { cornerOf, labelsOn, sheets, type SheetName } from '../../domain/label-sheets.ts';

/** A label as its query returns it. */
interface Label {
  qr: string;
  nome: string;
  detalhe: string | null;
  numero_cas: string | null;
  concentracao: number | null;
  cod_lote: string | null;
  data_venc: string | null;
  fabricante: string | null;
  palavra_advertencia: string | null;
  frases: string[];
  precaucoes: string[];
  ids_pictogramas: number[];
  controle: string | null;
  rotulo_exercito: string | null;
}

export interface LabelSheets {
  folha: SheetName;
  inicio: number;
  copias: number;
  etiquetas: Label[];
  pictogramas: { id: number; nome: string | null; icone: string }[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Pictures = ReadonlyMap<number, { name: string; bytes: Uint8Array | null }>;

const WORDS: Readonly<Record<string, string>> = { P: 'PERIGO', A: 'ATENÇÃO' };
const ASK_THE_SHEET = 'consulte a FDS';

/** Labels of batches and locations, on sheets or one on each page. */
export async function labelSheets(data: LabelSheets, { institution, glyphs }: Issue): Promise<Uint8Array> {
  const sheet = sheets[data.folha];
  const pen = new LabelPen(sheet, institution.name, glyphs);
  const pictures: Pictures = new Map(
    await Promise.all(
      data.pictogramas.map(
        async ({ id, nome, icone }) => [id, { name: nome ?? '', bytes: await picture(icone) }] as const,
      ),
    ),
  );
  let place = data.inicio - 1;
  const [width, height] = sheet.label;
  for (const label of data.etiquetas)
    for (let copy = 0; copy < data.copias; copy++) {
      if (place === labelsOn(sheet)) {
        pen.addPage(sheet);
        place = 0;
      }
      draw(pen, label, { ...cornerOf(sheet, place++), width, height }, pictures);
    }
  return pen.finish();
}

function draw(pen: LabelPen, label: Label, box: Box, pictures: Pictures): void {
  const isLarge = box.height > 50;
  const pad = isLarge ? 3 : 1.8;
  const [x, y, width] = [box.x + pad, box.y + pad, box.width - 2 * pad];
  const small: LabelFont = { style: 'normal', points: isLarge ? 8 : 6 };
  const side = isBatch(label)
    ? Math.min(26, Math.max(14.5, box.height * 0.45))
    : Math.min(40, box.height - 2 * pad);
  pen.qr(label.qr, x + width - side, y, side);
  const below = identify(pen, label, { ...box, x, y, width: width - side - 1 }, small, isLarge);
  let bottom = box.y + box.height - pad;
  const controls = [label.controle, label.rotulo_exercito && `PCE: ${label.rotulo_exercito}`].filter(Boolean);
  if (controls.length > 0) {
    const { lines, font } = inBand(pen, ['PRODUTO CONTROLADO', ...controls].join(' · '), width - 2, isLarge);
    const height = (isLarge ? 6 : 3.4) + (lines.length - 1) * lineOf(font);
    bottom -= height;
    pen.band(lines, font, { x, y: bottom, width, height });
    bottom -= 0.6;
  }
  const top = Math.max(below, y + side) + 0.3;
  if (isBatch(label)) warn(pen, label, { x, y: top, width, height: bottom - top }, small, pictures);
}

/**
 * A text on one line, in a smaller font if necessary; otherwise on as few lines as possible, because hazards need the
 * space.
 */
function inBand(
  pen: LabelPen,
  text: string,
  width: number,
  isLarge: boolean,
): { lines: string[]; font: LabelFont } {
  const fonts = (isLarge ? [10, 8] : [6.5, 5]).map((points): LabelFont => ({ style: 'bold', points }));
  const font = fonts.find(one => pen.lines(text, width, one).length === 1) ?? fonts[1]!;
  return { lines: pen.lines(text, width, font, 3), font };
}

const isBatch = ({ qr }: Label): boolean => qr.includes('/LOTE/');

/** Name, composition, CAS number, batch and expiry date. Returns the position below them. */
function identify(
  pen: LabelPen,
  label: Label,
  { x, y, width, height }: Box,
  small: LabelFont,
  isLarge: boolean,
): number {
  const points = (isLarge ? 14 : 9) * (isBatch(label) ? 1 : 1.5);
  const fonts = [points, points * 0.85].map((size): LabelFont => ({ style: 'bold', points: size }));
  const title = fonts.find(font => pen.lines(label.nome, width, font).length === 1) ?? fonts[1]!;
  let at = pen.print(pen.lines(label.nome, width, title, 2), title, x, y);
  const text = (line: string, font: LabelFont, most: number): void => {
    at = pen.print(pen.lines(line, width, font, most), font, x, at);
  };
  for (const line of label.detalhe?.split('\n') ?? []) text(line, small, isLarge ? 3 : height > 30 ? 2 : 1);
  const { numero_cas: cas, concentracao, cod_lote: batch, data_venc: expiry, fabricante: maker } = label;
  const share =
    concentracao !== null && `${concentracao.toLocaleString('pt-BR', { maximumFractionDigits: 4 })} %`;
  const facts = [cas && `CAS ${cas}`, share, batch && `Lote ${batch}`].filter(Boolean);
  if (facts.length > 0) text(facts.join(' · '), small, 2);
  if (maker && isLarge) text(maker, small, 1);
  if (expiry) text(`Validade ${expiry.split('-').toReversed().join('/')}`, { ...small, style: 'bold' }, 1);
  return at;
}

/** Pictograms, signal word, hazard and precautionary statements. */
function warn(pen: LabelPen, label: Label, box: Box, small: LabelFont, pictures: Pictures): void {
  const shown = label.ids_pictogramas.map(id => [id, pictures.get(id)!] as const);
  const side = Math.min(box.height, 18, (box.width * 0.55) / Math.max(1, shown.length));
  const unreadable: string[] = [];
  let { x } = box;
  for (const [id, { name, bytes }] of shown) {
    const place = { x, y: box.y, width: side, height: side };
    let isDrawn = false;
    if (bytes) pen.figure(name, () => (isDrawn = addPicture(pen.doc, bytes, `icone-${id}`, place)));
    if (isDrawn) x += side + 0.4;
    else unreadable.push(name);
  }
  const width = box.x + box.width - x - 0.6;
  let at = box.y;
  const word = WORDS[label.palavra_advertencia ?? ''];
  if (word) at = pen.print([word], { style: 'bold', points: small.points * 1.4 }, x + 0.6, at);
  const room = box.y + box.height - at;
  const unknown = label.palavra_advertencia === null && label.frases.length > 0;
  const text = [...unreadable, ...(unknown ? [`Palavra de advertência: ${ASK_THE_SHEET}`] : [])];
  const { lines, font } = fitting(pen, label, text, width, room, small);
  pen.print(lines, font, x + 0.6, at);
}

/** The codes of statements, such as `H225` and `P305+P351+P338`. A statement without a code is kept as it is. */
const codesOf = (statements: readonly string[]): string[] =>
  statements.map(statement => /^[HP]\d{3}[A-Za-z]*(\s*\+\s*P\d{3})*(?=\b)/.exec(statement)?.[0] ?? statement);

/**
 * Shortens statements until they fit: all in full; then precautions as codes only; then all as codes only; then as many
 * codes as fit, and a note that there are more.
 */
function fitting(
  pen: LabelPen,
  { frases, precaucoes }: Label,
  more: readonly string[],
  width: number,
  room: number,
  small: LabelFont,
): { lines: string[]; font: LabelFont } {
  const hazards = frases.length > 0 ? frases : [`Sem classe de perigo cadastrada: ${ASK_THE_SHEET}`];
  const last = frases.length > 0 ? ['Leia a FDS antes de usar'] : [];
  const [hazardCodes, codes] = [codesOf(frases).join(' '), codesOf(precaucoes).join(' ')];
  const versions = [
    [...hazards, ...precaucoes, ...last],
    [...hazards, codes, ...last],
    [[hazardCodes, codes].join(' ')],
    [hazardCodes, precaucoes.length > 0 && ASK_THE_SHEET],
    [hazardCodes],
  ].map(parts => [...more, ...parts].filter(Boolean).join('. '));
  const fonts = [0, 0.7, 1.4].map(less => ({ ...small, points: small.points - less }));
  const most = (font: LabelFont): number => Math.floor(room / lineOf(font) + 0.05);
  for (const text of versions)
    for (const font of fonts) {
      const lines = pen.lines(text, width, font);
      if (lines.length <= most(font)) return { lines, font };
    }
  const font = fonts.at(-1)!;
  const kept = pen.lines(versions.at(-1)!, width, font, Math.max(0, most(font) - 1));
  return { lines: [...kept, ASK_THE_SHEET], font };
}
