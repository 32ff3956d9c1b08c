import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StringField } from '../src/rest/string-field.ts';
import { Base64Decoder, fromBase64 } from '../src/storage/base64.ts';

/** Bytes cut into pieces of these sizes, again and again. */
function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    cut.push(bytes.subarray(at, at + size));
    at += size;
  }
  return cut;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

/** JSON as any client may write it: with spaces, and every so many letters of a text escaped by number. */
function written(value: unknown, spaces: number, every: number): string {
  let count = 0;
  const escaped = (letter: string): string =>
    ++count % every === 0
      ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(letter).slice(1, -1);
  return JSON.stringify(value, null, spaces).replace(
    /"(?:[^"\\]|\\.)*"/g,
    text => `"${(JSON.parse(text) as string).split('').map(escaped).join('')}"`,
  );
}

test('a field is taken out of any object, however it is written and cut, and the rest stays as it was', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('conteud')), fc.jsonValue()),
      fc.string({ unit: 'binary-ascii' }),
      fc.nat(3),
      fc.integer({ min: 1, max: 50 }),
      sizes,
      (others, text, spaces, every, cut) => {
        const { conteudo: _, ...rest } = others;
        const whole = { ...rest, conteudo: text, last: { conteudo: 'other' } };
        const field = new StringField('conteudo');
        const json = Buffer.from(written(whole, spaces, every));
        const taken = pieces(json, cut).flatMap(piece => [...field.take(piece)]);
        expect(Buffer.concat(taken).toString()).toBe(text);
        expect(JSON.parse(field.left.toString())).toEqual({ ...JSON.parse(json.toString()), conteudo: '' });
        expect(field.seen).toBe(1);
      },
    ),
    { numRuns: 500 },
  );
});

test('what is no JSON stays so without the field', () => {
  fc.assert(
    fc.property(fc.string(), sizes, (text, cut) => {
      const json = `{"conteudo":"YQ=="${text}`;
      const field = new StringField('conteudo');
      for (const piece of pieces(Buffer.from(json), cut)) for (const part of field.take(piece)) void part;
      const parses = (it: string): boolean => {
        try {
          return JSON.parse(it) !== undefined;
        } catch {
          return false;
        }
      };
      expect(parses(field.left.toString())).toBe(parses(json));
    }),
    { numRuns: 500 },
  );
});

test('base64 is decoded in pieces as it is at once, and nothing else is taken for it', () => {
  const text = fc.oneof(
    fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64')),
    fc.string({ unit: fc.constantFrom('A', 'Q', '=', '/', '+', ' ', '-', 'é') }),
  );
  fc.assert(
    fc.property(text, sizes, (given, cut) => {
      const decoder = new Base64Decoder();
      const decoded = Buffer.concat(pieces(Buffer.from(given), cut).map(piece => decoder.decode(piece)));
      const expected = fromBase64(given);
      expect(decoder.end()).toBe(expected !== undefined);
      if (expected) expect(decoded.equals(expected)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
