/** Width of a text in the unit of the line. */
type Measure = (text: string) => number;

/** A line of text with its indent. */
export interface Line {
  text: string;
  indent: number;
}

/** How a list item begins: a number such as `4.1`, a letter such as `a)`, or a dash. */
const MARKER = /^(?:\d+(?:\.\d+)*[.)]?|[a-zA-Z]\)|[-–—•*])\s+/;

/** A paragraph in lines no wider than `width`. Further lines of a list item stand below its text, not its number. */
export function wrap(paragraph: string, width: number, measure: Measure, hanging = 0): Line[] {
  const marker = MARKER.exec(paragraph)?.[0];
  const indent = Math.min(marker === undefined ? hanging : measure(marker), width / 2);
  const lines: Line[] = [];
  let text = '';
  const room = (): number => width - (lines.length > 0 ? indent : 0);
  const end = (): void => {
    lines.push({ text, indent: lines.length > 0 ? indent : 0 });
    text = '';
  };
  for (const word of paragraph.split(/ +/).filter(Boolean)) {
    if (text !== '' && measure(`${text} ${word}`) > room()) end();
    let rest = word;
    while (text === '') {
      const part = longestPart(rest, room(), measure);
      if (part.length === rest.length) break;
      text = part;
      rest = rest.slice(part.length);
      end();
    }
    text += text === '' ? rest : ` ${rest}`;
  }
  if (text !== '') end();
  return lines;
}

/** The longest part of a word that fits into a line; at least one character. */
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
