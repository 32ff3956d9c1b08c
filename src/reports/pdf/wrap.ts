/** Width of a text in the unit of the line. The width of two texts is their sum. */
type Measure = (text: string) => number;

/**
 * A line of text with its indent. It includes the blank at which the paragraph was broken, so that words stay separate.
 */
export interface Line {
  text: string;
  indent: number;
}

/** How a list item begins: a number such as `4.1`, a letter such as `a)`, or a dash. */
const MARKER = /^(?:\d+(?:\.\d+)*[.)]?|[a-zA-Z]\)|[-–—•*]) +/;

/** Distance between tab stops, in blanks. */
const TAB = 8;

/**
 * Splits a paragraph into lines that are at most `width` wide. Further lines have the same indent as the first. For a
 * list item, they are aligned with its text, not with its marker.
 */
export function wrap(paragraph: string, width: number, measure: Measure, hanging = 0): Line[] {
  const untabbed = paragraph.includes('\t') ? withoutTabs(paragraph, measure) : paragraph;
  if (untabbed[0] !== ' ' && measure(untabbed) <= width)
    return untabbed === '' ? [] : [{ text: untabbed.trimEnd(), indent: 0 }];
  const content = untabbed.trimStart();
  const marker = MARKER.exec(content)?.[0];
  const first = Math.min(measure(' ') * (untabbed.length - content.length), width / 2);
  const further = Math.min(first + (marker === undefined ? hanging : measure(marker)), (width * 2) / 3);
  const lines: Line[] = [];
  let [text, taken] = ['', 0];
  const indent = (): number => (lines.length > 0 ? further : first);
  const end = (blank = ''): void => {
    lines.push({ text: text + blank, indent: indent() });
    [text, taken] = ['', 0];
  };
  for (const [, gap = '', word = ''] of content.matchAll(/( *)([^ ]+)/g)) {
    const wide = measure(word);
    if (text !== '' && taken + measure(gap) + wide > width - indent()) end(' ');
    if (text !== '') [text, taken] = [text + gap + word, taken + measure(gap) + wide];
    else {
      let rest = word;
      for (let part = longestPart(rest, width - indent(), measure); part.length < rest.length;) {
        text = part;
        rest = rest.slice(part.length);
        end();
        part = longestPart(rest, width - indent(), measure);
      }
      [text, taken] = [rest, measure(rest)];
    }
  }
  if (text !== '') end();
  return lines;
}

/** Replaces each tab by blanks up to the next tab stop. */
function withoutTabs(text: string, measure: Measure): string {
  const blank = measure(' ');
  return text.split('\t').reduce((before, part) => {
    const column = Math.round(measure(before) / blank);
    return before + ' '.repeat(TAB - (column % TAB)) + part;
  });
}

/** The longest beginning of a word that fits into a line; at least one character. */
function longestPart(word: string, width: number, measure: Measure): string {
  let part = '';
  let taken = 0;
  for (const character of word) {
    taken += measure(character);
    if (part !== '' && taken > width) break;
    part += character;
  }
  return part;
}
