import { deflateSync } from 'node:zlib';

/** An object of a PDF that is not a stream: its number, and its content. */
export type SmallObject = readonly [number: number, content: string];

/** Most objects in one stream. To read one of them, a viewer unpacks the whole stream. */
const MOST = 1000;

/** The position of an object: an offset in the file, or an index in a stream of objects. */
type Place = { offset: number } | { stream: number; at: number };

/**
 * Adds objects to a file of jsPDF, which has reserved their numbers. The objects and the table of all objects are
 * compressed: a cell of a table needs ten bytes instead of a hundred. jsPDF does not support such streams, which PDF
 * has since version 1.5.
 */
export function withObjects(file: Uint8Array, objects: readonly SmallObject[]): Uint8Array {
  const written = Buffer.from(file.buffer, file.byteOffset, file.length);
  const start = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(written.toString('latin1', file.length - 60))![1]);
  const tail = written.toString('latin1', start);
  const places = [...tail.matchAll(/^(\d{10}) \d{5} n $/gm)].map(([, offset]): Place => ({
    offset: Number(offset),
  }));
  places.unshift({ offset: 0 });
  const parts: Buffer[] = [written.subarray(0, start)];
  let length = start;
  const add = (dictionary: string, content: Buffer): void => {
    const number = places.push({ offset: length }) - 1;
    const bytes = deflateSync(content);
    const part = Buffer.concat([
      Buffer.from(
        `${number} 0 obj\n<<${dictionary} /Filter /FlateDecode /Length ${bytes.length}>>\nstream\n`,
      ),
      bytes,
      Buffer.from('\nendstream\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  };
  for (let from = 0; from < objects.length; from += MOST) {
    const some = objects.slice(from, from + MOST);
    some.forEach(([number], at) => (places[number] = { stream: places.length, at }));
    let offset = 0;
    const index = some.map(([number, content]) => {
      const entry = `${number} ${offset}`;
      offset += content.length + 1;
      return entry;
    });
    const head = `${index.join(' ')}\n`;
    const content = Buffer.from(head + some.map(([, one]) => `${one}\n`).join(''), 'latin1');
    add(`/Type /ObjStm /N ${some.length} /First ${head.length}`, content);
  }
  const offset = length;
  const [, trailer = ''] = /trailer\n<<\n\/Size \d+\n(.*?)>>/s.exec(tail) ?? [];
  const size = places.length + 1;
  add(`/Type /XRef /W [1 4 2] /Size ${size} ${trailer.trim()}`, tableOf([...places, { offset }]));
  parts.push(Buffer.from(`startxref\n${offset}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** The table of all objects, with a type and two numbers for each. The first row is a placeholder. */
function tableOf(places: readonly Place[]): Buffer {
  const table = Buffer.alloc(places.length * 7);
  places.forEach((place, i) => {
    const isInside = 'stream' in place;
    table.writeUInt8(i === 0 ? 0 : isInside ? 2 : 1, i * 7);
    table.writeUInt32BE(isInside ? place.stream : place.offset, i * 7 + 1);
    table.writeUInt16BE(i === 0 ? 0xffff : isInside ? place.at : 0, i * 7 + 5);
  });
  return table;
}
