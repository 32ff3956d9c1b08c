import type { LabelFont, LabelPen } from './label-pen.ts';

/** What a label says about its record besides hazards, as its query returns it. */
export interface Identity {
  qr: string;
  nome: string;
  detalhe: string | null;
  numero_cas: string | null;
  concentracao: number | null;
  substancias: { nome: string; concentracao: number }[];
  cod_lote: string | null;
  data_venc: string | null;
  fabricante: string | null;
  controle: string | null;
  rotulo_exercito: string | null;
}

/** A text in a width in millimetres. It takes `rows` lines, or down to `least` where others need the room. */
export interface LabelText {
  text: string;
  font: LabelFont;
  width: number;
  rows: number;
  least: number;
}

export const isBatch = ({ qr }: Pick<Identity, 'qr'>): boolean => qr.includes('/LOTE/');

const percent = (share: number): string => `${share.toLocaleString('pt-BR', { maximumFractionDigits: 4 })} %`;

/** A text that takes at most `most` lines. */
function measured(
  pen: LabelPen,
  text: string,
  font: LabelFont,
  width: number,
  most: number,
  least: number,
): LabelText {
  const rows = pen.lines(text, width, font, most).length;
  return { text, font, width, rows, least: Math.min(least, rows) };
}

/**
 * Name, composition, CAS number, batch and expiry date: the texts as they are `printed`, from top to bottom, and those
 * that may be `shortened`, from the least important on.
 */
export function identityOf(
  pen: LabelPen,
  label: Identity,
  { width, height }: { width: number; height: number },
  small: LabelFont,
): { printed: LabelText[]; shortened: LabelText[] } {
  const isLarge = height > 50;
  const points = (isLarge ? 14 : 9) * (isBatch(label) ? 1 : 1.5);
  const fonts = [points, points * 0.85].map((size): LabelFont => ({ style: 'bold', points: size }));
  const titleFont = fonts.find(font => pen.lines(label.nome, width, font).length === 1) ?? fonts[1]!;
  const text = (content: string, most: number, least: number, font = small): LabelText =>
    measured(pen, content, font, width, most, least);
  const { detalhe, numero_cas: cas, concentracao, cod_lote: batch, data_venc: expiry, fabricante } = label;
  if (!isBatch(label)) {
    const title = text(label.nome, 4, 1, titleFont);
    const details = detalhe?.split('\n').map(line => text(line, 9, 1)) ?? [];
    return { printed: [title, ...details], shortened: [...details.toReversed(), title] };
  }
  const title = text(label.nome, 2, 1, titleFont);
  const detail = text(detalhe ?? '', isLarge ? 3 : height > 30 ? 2 : 1, 0);
  const shares = label.substancias.map(({ nome, concentracao: share }) => `${nome} ${percent(share)}`);
  const substances = text(shares.join(' · '), isLarge ? 3 : 2, 1);
  const facts = [
    cas && `CAS ${cas}`,
    concentracao !== null && percent(concentracao),
    batch && `Lote ${batch}`,
  ];
  const data = text(facts.filter(Boolean).join(' · '), 3, 2);
  const maker = text((isLarge && fabricante) || '', 1, 1);
  const day = text(expiry ? `Validade ${expiry.split('-').toReversed().join('/')}` : '', 1, 1, {
    ...small,
    style: 'bold',
  });
  return {
    printed: [title, detail, substances, data, maker, day],
    shortened: [detail, title, substances, data],
  };
}

/**
 * Who controls it: on one line, in a smaller font if necessary; otherwise on as few lines as possible, because hazards
 * need the space.
 */
export function controlOf(
  pen: LabelPen,
  { controle, rotulo_exercito }: Identity,
  width: number,
  isLarge: boolean,
): LabelText {
  const controls = [controle, rotulo_exercito && `PCE: ${rotulo_exercito}`].filter(Boolean);
  const text = controls.length > 0 ? ['PRODUTO CONTROLADO', ...controls].join(' · ') : '';
  const fonts = (isLarge ? [10, 8] : [6.5, 5]).map((points): LabelFont => ({ style: 'bold', points }));
  const font = fonts.find(one => pen.lines(text, width, one).length === 1) ?? fonts[1]!;
  return measured(pen, text, font, width, 3, 1);
}

/** Every way to shorten texts, by their numbers of lines: the first is shortened first, the last only in the end. */
export function* shortenings(texts: readonly LabelText[]): Generator<Map<LabelText, number>> {
  const last = texts.at(-1);
  if (!last) {
    yield new Map();
    return;
  }
  for (let rows = last.rows; rows >= last.least; rows--)
    for (const others of shortenings(texts.slice(0, -1))) yield others.set(last, rows);
}
