import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { getDocumentProxy, getResolvedPDFJS, renderPageAsImage } from 'unpdf';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** The text of each page, with every run of white space as one blank. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const pages = await onEachPage(bytes, async page => {
    // Unnormalized, as a reader copies it, so that a micro sign does not become the Greek letter.
    const { items } = await page.getTextContent({ disableNormalization: true });
    return items.map(item => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join('');
  });
  return pages.map(page => page.replace(/\s+/g, ' '));
}

/** A piece of text on a page, in millimetres from its upper left corner. */
export interface TextBox {
  text: string;
  left: number;
  right: number;
  /** Position of the baseline. */
  base: number;
  /** Font size. */
  points: number;
}

/** The positions of the texts on each page, from top to bottom. Blanks are left out. */
export async function boxesOnPages(bytes: Uint8Array): Promise<TextBox[][]> {
  const boxes = await onEachPage(bytes, async page => {
    const { items } = await page.getTextContent({ disableNormalization: true });
    const millimetres = (points: number): number => (points * 25.4) / 72;
    return items.flatMap((item): TextBox[] => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [points, , , , x, y] = item.transform as [number, number, number, number, number, number];
      const [left, right] = [x, x + item.width].map(millimetres) as [number, number];
      return [{ text: item.str, left, right, base: millimetres(page.view[3]! - y), points }];
    });
  });
  return boxes.map(page => page.toSorted((a, b) => a.base - b.base));
}

/** The same of the first page. */
export const boxesOf = async (bytes: Uint8Array): Promise<TextBox[]> => (await boxesOnPages(bytes))[0]!;

/** A filled box or a picture on a page, in millimetres from its upper left corner. */
export interface PaintedBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The filled boxes and the pictures of the first page. */
export async function paintedOn(bytes: Uint8Array): Promise<{ filled: PaintedBox[]; images: PaintedBox[] }> {
  const { OPS } = await getResolvedPDFJS();
  const [painted] = await onEachPage(bytes, async page => {
    const { fnArray, argsArray } = await page.getOperatorList();
    const boxOf = ([left, low, right, high]: number[]): PaintedBox => {
      const [l, t, r, b] = [left!, page.view[3]! - high!, right!, page.view[3]! - low!].map(
        points => (points * 25.4) / 72,
      );
      return { left: l!, top: t!, right: r!, bottom: b! };
    };
    const found = { filled: [] as PaintedBox[], images: [] as PaintedBox[] };
    fnArray.forEach((operator, i) => {
      if (operator === OPS.constructPath && argsArray[i][0] === OPS.fill)
        found.filled.push(boxOf([...argsArray[i][2]]));
      if (operator !== OPS.paintImageXObject) return;
      // The matrix that makes a picture of one by one point as large as it is.
      const [width, , , height, x, y] = argsArray[fnArray.lastIndexOf(OPS.transform, i)] as number[];
      found.images.push(boxOf([x!, y!, x! + width!, y! + height!]));
    });
    return found;
  });
  return painted!;
}

/** The characters of each line of the first page in the order in which they stand on paper, from left to right. */
export async function linesFromLeft(bytes: Uint8Array): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS();
  const [lines] = await onEachPage(bytes, async page => {
    const { fnArray, argsArray } = await page.getOperatorList();
    const found: string[] = [];
    fnArray.forEach((operator, i) => {
      if (operator === OPS.setTextMatrix) found.push('');
      if (operator !== OPS.showText) return;
      const [glyphs] = argsArray[i] as [{ unicode?: string }[]];
      found.push((found.pop() ?? '') + glyphs.map(({ unicode = '' }) => unicode).join(''));
    });
    return found;
  });
  return lines!;
}

/** A part of a document by its tags, with all its text. */
export interface TaggedPart {
  role: string;
  text: string;
  parts: TaggedPart[];
}

interface Node {
  role?: string;
  type?: string;
  id?: string;
  children?: Node[];
}

/** The parts of each page that a screen reader reads, and the text that it skips. */
export async function taggedPages(bytes: Uint8Array): Promise<{ parts: TaggedPart[]; untold: string }[]> {
  return onEachPage(bytes, async page => {
    const { items } = await page.getTextContent({ includeMarkedContent: true, disableNormalization: true });
    const texts = new Map<string | undefined, string>();
    const open: (string | undefined)[] = [];
    for (const item of items) {
      if ('str' in item)
        texts.set(open.at(-1), `${texts.get(open.at(-1)) ?? ''}${item.str}${item.hasEOL ? ' ' : ''}`);
      else if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.id);
    }
    const part = ({ role = '', type, id, children = [] }: Node): TaggedPart => {
      const parts = children.map(part);
      const own = type === 'content' ? (texts.get(id) ?? '') : '';
      return {
        role,
        text: (own + parts.map(({ text }) => text).join(' ')).trim(),
        parts: parts.filter(isHere),
      };
    };
    // On each page of a long table, the tags also contain rows of other pages.
    const isHere = ({ role, text }: TaggedPart): boolean => role !== '' && (role !== 'TR' || text !== '');
    const [document] = ((await page.getStructTree()) as Node).children ?? [];
    return { parts: part(document!).parts, untold: texts.get(undefined) ?? '' };
  });
}

/** Pixels per inch. */
export const DPI = 300;

/** A page as a picture. */
export async function drawn(pdf: Uint8Array, page: number): Promise<Canvas> {
  const png = await renderPageAsImage(pdf.slice(), page, {
    canvasImport: () => import('@napi-rs/canvas'),
    scale: DPI / 72,
  });
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
}

async function onEachPage<Result>(
  bytes: Uint8Array,
  read: (page: Page) => Promise<Result>,
): Promise<Result[]> {
  const pdf = await getDocumentProxy(bytes.slice());
  return Promise.all(Array.from({ length: pdf.numPages }, async (_, i) => read(await pdf.getPage(i + 1))));
}
