import { cornerOf, labelsOn, sheets, type SheetName } from '../../domain/label-sheets.ts';
import { invalid, type FieldError } from '../../errors.ts';
import { reportTexts } from '../messages.ts';
import type { Issue } from './issue.ts';
import { LabelPen, lineOf, type LabelFont } from './label-pen.ts';
import { controlOf, identityOf, isBatch, shortenings, type Identity, type LabelText } from './label-texts.ts';
import { layOutWarning, type Hazards, type Pictogram, type Warning } from './label-warning.ts';
import { isReadable, picture } from './pictures.ts';

/** A label as its query returns it. */
interface Label extends Identity, Hazards {}

export interface LabelSheets {
  folha: SheetName;
  inicio: number;
  copias: number;
  etiquetas: Label[];
  pictogramas: { id: number; nome: string | null; icone: string }[];
}

type Pictograms = ReadonlyMap<number, Pictogram>;

/**
 * Labels of batches and locations, on sheets or one on each page.
 * @throws BAD_REQUEST that names the labels for which the sheet is too small
 */
export async function labelSheets(data: LabelSheets, { institution, glyphs }: Issue): Promise<Uint8Array> {
  const sheet = sheets[data.folha];
  const pen = new LabelPen(sheet, institution.name, glyphs);
  const pictograms = new Map<number, Pictogram>();
  for (const { id, nome, icone } of data.pictogramas) {
    const bytes = await picture(icone);
    pictograms.set(id, { id, name: nome ?? '', bytes: bytes && isReadable(pen.doc, bytes) ? bytes : null });
  }
  const errors: FieldError[] = [];
  const labels = data.etiquetas.flatMap((label, i) => {
    const draw = layOut(pen, label, sheet.label, pictograms);
    if (draw) return [draw];
    const name = label.cod_lote === null ? label.nome : `${label.nome} (lote ${label.cod_lote})`;
    errors.push({ field: `ids[${i}]`, message: reportTexts.labelTooSmall(name, data.folha) });
    return [];
  });
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  let place = data.inicio - 1;
  for (const draw of labels)
    for (let copy = 0; copy < data.copias; copy++) {
      if (place === labelsOn(sheet)) {
        pen.addPage(sheet);
        place = 0;
      }
      draw(cornerOf(sheet, place++));
    }
  return pen.finish();
}

/** Draws a label with its upper left corner there, in millimetres. */
type Draw = (corner: { x: number; y: number }) => void;

/** For the label of a location. */
const NO_WARNING: Warning = { shown: Infinity, print: () => undefined };

/**
 * The layout that shortens texts least, while all codes of the hazards are there; otherwise the one with most of them.
 * Undefined if the label has no room for hazards that can be read.
 */
function layOut(
  pen: LabelPen,
  label: Label,
  [outer, height]: readonly [width: number, height: number],
  pictograms: Pictograms,
): Draw | undefined {
  const isLarge = height > 50;
  const pad = isLarge ? 3 : 1.8;
  const width = outer - 2 * pad;
  const small: LabelFont = { style: 'normal', points: isLarge ? 8 : 6 };
  const side = isBatch(label) ? Math.min(26, Math.max(14.5, height * 0.45)) : Math.min(40, height - 2 * pad);
  const { printed, shortened } = identityOf(pen, label, { width: width - side - 1, height }, small);
  const control = controlOf(pen, label, width - 2, isLarge);
  let best: Draw | undefined;
  let [highest, shown] = [-Infinity, 0];
  for (const rows of shortenings([...shortened, control])) {
    const rowsOf = (text: LabelText): number => rows.get(text) ?? text.rows;
    const band = (isLarge ? 6 : 3.4) + (rowsOf(control) - 1) * lineOf(control.font);
    const below = printed.reduce((y, text) => y + rowsOf(text) * lineOf(text.font), pad);
    const top = isBatch(label) ? Math.max(below, pad + side) + 0.3 : below;
    const room = height - pad - (control.rows > 0 ? band + 0.6 : 0) - top;
    // A place that is not higher than another one shows no more.
    if (room <= highest) continue;
    highest = room;
    const warning = isBatch(label)
      ? layOutWarning(pen, label, { width, height: room }, small, pictograms)
      : NO_WARNING;
    if (room < 0 || !warning || warning.shown <= shown) continue;
    shown = warning.shown;
    const texts = new Map(
      [...printed, control].map(one => [one, pen.lines(one.text, one.width, one.font, rowsOf(one))]),
    );
    best = ({ x, y }) => {
      const left = x + pad;
      pen.qr(label.qr, left + width - side, y + pad, side);
      let at = y + pad;
      for (const text of printed) at = pen.print(texts.get(text)!, text.font, left, at);
      const box = { x: left, y: y + height - pad - band, width, height: band };
      if (control.rows > 0) pen.band(texts.get(control)!, control.font, box);
      warning.print(left, y + top);
    };
    if (shown === Infinity) break;
  }
  return best;
}
