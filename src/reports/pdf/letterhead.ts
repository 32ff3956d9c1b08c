import type { Institution } from './issue.ts';
import { ACCENT, INK, lineHeight, MUTED, type Font, type Pages, type Titles } from './page.ts';

const LOGO = { height: 18, width: 40 };
/**
 * Font sizes of the institution's name, in points. The largest size with at most two lines is used, or else the
 * smallest.
 */
const NAME_POINTS = [13, 11, 9] as const;
const KIND: Font = { style: 'normal', points: 10, color: ACCENT };
const SMALL: Font = { style: 'normal', points: 8, color: MUTED };

/** Prints the head of the first page: the logo, the institution's full name and the kind of document. */
export function printLetterhead(pages: Pages, { name, logo }: Institution, { title }: Titles): void {
  const top = 14;
  let x = pages.left;
  if (logo) {
    const { width, height } = pages.doc.getImageProperties(logo);
    const scale = Math.min(LOGO.height / height, LOGO.width / width);
    pages.decorate(() =>
      pages.doc.addImage(logo, pages.left, top, width * scale, height * scale, undefined, 'FAST'),
    );
    x += width * scale + 5;
  }
  const room = pages.left + pages.width - x;
  const fonts = NAME_POINTS.map((points): Font => ({ style: 'bold', points, color: INK }));
  const font = fonts.find(one => pages.wrapped(name, one, room).length <= 2) ?? fonts.at(-1)!;
  const lines = pages.wrapped(name, font, room);
  const kind = pages.wrapped(title.toLocaleUpperCase('pt-BR'), KIND, room);
  pages.tags.as('P', () => pages.print(lines, font, { x, y: top + 2 }));
  const below = top + 2 + lines.length * lineHeight(font.points) + 0.7;
  pages.tags.as('H1', () => pages.print(kind, KIND, { x, y: below }));
  pages.y = Math.max(top + (logo ? LOGO.height + 3 : 17), below + kind.length * lineHeight(KIND.points) + 2);
  pages.rule(pages.y, ACCENT, 0.6);
  pages.y += 6;
}

/** Prints headers and footers. Call it at the end, when the number of pages is known. */
export function printMargins(pages: Pages, titles: Titles): void {
  const count = pages.doc.getNumberOfPages();
  for (let number = 1; number <= count; number++) {
    pages.doc.setPage(number);
    printMarginsOf(pages, titles, number, count);
  }
}

/** Header and footer repeat what is said elsewhere, so screen readers skip them. */
function printMarginsOf(
  pages: Pages,
  { title, subject, footer }: Titles,
  number: number,
  count: number,
): void {
  const right = pages.left + pages.width;
  if (number > 1) {
    const running = [title, subject].filter(Boolean).join(' · ');
    pages.line(fitting(pages, running, pages.width), SMALL, { x: pages.left, y: 12 });
    pages.rule(17.5);
  }
  const foot = pages.bottom + 6;
  pages.rule(foot - 1.5);
  const page = `página ${number} de ${count}`;
  const taken = pages.fonts.width(page, SMALL.style, SMALL.points) + 5;
  pages.line(fitting(pages, footer, pages.width - taken), SMALL, { x: pages.left, y: foot });
  pages.line(page, SMALL, { x: right, y: foot }, 'right');
}

/** The text, cut to one line of this width. */
function fitting({ fonts }: Pages, text: string, room: number): string {
  const fits = (shown: string): boolean => fonts.width(shown, SMALL.style, SMALL.points) <= room;
  const whole = fonts.printable(text).replace(/[\n\t]/g, ' ');
  if (fits(whole)) return whole;
  const letters = Array.from(whole);
  while (!fits(`${letters.join('')}…`)) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
