import { lineOf, type LabelFont, type LabelPen } from './label-pen.ts';

/** The hazards of a label, as its query returns them. */
export interface Hazards {
  palavra_advertencia: string | null;
  frases: string[];
  precaucoes: string[];
  ids_pictogramas: number[];
}

/** A pictogram by its key. The label has the name of one that cannot be drawn, without `bytes`. */
export interface Pictogram {
  id: number;
  name: string;
  bytes: Uint8Array | null;
}

/** Hazards that fit into a box. */
export interface Warning {
  /** How many words of the hazard statements or their codes are there; infinity for all. */
  shown: number;
  /** Draws them, with their upper left corner there. */
  print: (x: number, y: number) => void;
}

const WORDS: Readonly<Record<string, string>> = { P: 'PERIGO', A: 'ATENÇÃO' };
const ASK_THE_SHEET = 'consulte a FDS';

/** Shortest and longest side of a pictogram in millimetres, and the gap after it. */
const LEGIBLE = 5;
const LONGEST = 18;
const GAP = 0.4;

/**
 * Lays out pictograms, signal word and statements in a box in millimetres. Undefined if it has no room for all
 * pictograms at a legible size, the signal word and the first code.
 */
export function layOutWarning(
  pen: LabelPen,
  label: Hazards,
  { width, height }: { width: number; height: number },
  small: LabelFont,
  pictograms: ReadonlyMap<number, Pictogram>,
): Warning | undefined {
  const all = label.ids_pictogramas.map(id => pictograms.get(id)!);
  const drawn = all.filter(({ bytes }) => bytes !== null);
  const { side, columns } = gridOf(drawn.length, width * 0.55, height);
  if (side < LEGIBLE) return undefined;
  const indent = Math.min(drawn.length, columns) * (side + GAP) + 0.6;
  const word = WORDS[label.palavra_advertencia ?? ''];
  const strong: LabelFont = { style: 'bold', points: small.points * 1.4 };
  const above = word ? lineOf(strong) : 0;
  const isUnknown = label.palavra_advertencia === null && label.frases.length > 0;
  const more = [
    ...all.filter(({ bytes }) => bytes === null).map(({ name }) => name),
    ...(isUnknown ? [`Palavra de advertência: ${ASK_THE_SHEET}`] : []),
  ];
  const statements = fitting(pen, label, more, width - indent, height - above, small);
  if (!statements) return undefined;
  const print = (x: number, y: number): void => {
    for (const [i, { id, name, bytes }] of drawn.entries()) {
      const left = x + (i % columns) * (side + GAP);
      const top = y + Math.floor(i / columns) * (side + GAP);
      pen.picture(name, bytes!, `icone-${id}`, { x: left, y: top, width: side, height: side });
    }
    if (word) pen.print([word], strong, x + indent, y);
    pen.print(statements.lines, statements.font, x + indent, y + above);
  };
  return { shown: statements.shown, print };
}

/** The rows and columns in which `count` squares are largest. */
function gridOf(count: number, width: number, height: number): { side: number; columns: number } {
  let best = { side: count === 0 ? LONGEST : 0, columns: 1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const side = Math.min(LONGEST, (width + GAP) / columns - GAP, (height + GAP) / rows - GAP);
    if (side > best.side) best = { side, columns };
  }
  return best;
}

/**
 * The codes of statements, such as `H225`, `H300+H310` and `P305+P351+P338`. A statement without a code is kept as it
 * is.
 */
const codesOf = (statements: readonly string[]): string[] =>
  statements.map(
    statement => /^[HP]\d{3}[A-Za-z]*(\s*\+\s*[HP]\d{3}[A-Za-z]*)*(?=\b)/.exec(statement)?.[0] ?? statement,
  );

/**
 * Shortens statements until they fit: all in full; then precautions as codes only; then all as codes only; then as many
 * codes as fit, and a note that there are more. Undefined if not even one fits.
 */
function fitting(
  pen: LabelPen,
  { frases, precaucoes }: Hazards,
  more: readonly string[],
  width: number,
  room: number,
  small: LabelFont,
): { lines: string[]; font: LabelFont; shown: number } | undefined {
  const hazards = frases.length > 0 ? frases : [`Sem classe de perigo cadastrada: ${ASK_THE_SHEET}`];
  const last = frases.length > 0 ? ['Leia a FDS antes de usar'] : [];
  const [hazardCodes, codes] = [codesOf(hazards).join(' '), codesOf(precaucoes).join(' ')];
  const versions = [
    [...hazards, ...precaucoes, ...last],
    [...hazards, codes, ...last],
    [[hazardCodes, codes].join(' ')],
    [hazardCodes, precaucoes.length > 0 && ASK_THE_SHEET],
    [hazardCodes],
  ].map(parts => [...more, ...parts].filter(Boolean).join('. '));
  const fonts = [0, 0.7, 1.4].map(less => ({ ...small, points: small.points - less }));
  const linesIn = (text: string, font: LabelFont): string[] | undefined => {
    const lines = pen.lines(text, width, font);
    return lines.length <= Math.floor(room / lineOf(font) + 0.05) ? lines : undefined;
  };
  for (const text of versions)
    for (const font of fonts) {
      const lines = linesIn(text, font);
      if (lines) return { lines, font, shown: Infinity };
    }
  const font = fonts.at(-1)!;
  const words = versions.at(-1)!.split(/\s+/);
  for (let shown = words.length - 1; shown > 0; shown--) {
    const lines = linesIn(`${words.slice(0, shown).join(' ')} … ${ASK_THE_SHEET}`, font);
    if (lines) return { lines, font, shown };
  }
  return undefined;
}
