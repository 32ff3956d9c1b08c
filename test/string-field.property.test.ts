import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StringField } from '../src/rest/string-field.ts';
import { Base64Decoder, fromBase64 } from '../src/storage/base64.ts';

/** Splits bytes into pieces of these sizes, repeatedly. */
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

/** JSON as any client may write it: with blanks, and with some characters escaped. */
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

test('a field is taken out of any object, however it is written and divided into pieces, and the rest stays as it was', () => {
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

test('invalid JSON stays invalid without the field', () => {
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

/** The result of the decoder for a text in pieces; undefined when it was not base64. */
function decoded(text: string, cut: readonly number[]): Buffer | undefined {
  const decoder = new Base64Decoder();
  const bytes = pieces(Buffer.from(text), cut).map(piece => decoder.decode(piece));
  const whole = Buffer.concat([...bytes, decoder.end()]);
  return decoder.valid ? whole : undefined;
}

test('base64 in pieces is decoded as base64 in one piece, white space aside, and anything else is refused', () => {
  const text = fc.oneof(
    fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64')),
    fc.string({ unit: fc.constantFrom('A', 'Q', '=', '/', '+', ' ', '\n', '-', 'é', ':', ',', 'data') }),
  );
  fc.assert(
    fc.property(text, sizes, (given, cut) => {
      expect(decoded(given, cut)).toEqual(fromBase64(given.replace(/\s/g, '')));
    }),
    { numRuns: 1000 },
  );
});

test('base64 as a data: URI and in lines gives the same bytes, wherever it is divided', () => {
  const mark = fc.constantFrom(
    'data:;base64,',
    'DATA:text/plain;charset=utf-8;base64,',
    'data:a/b;name=x;base64,',
  );
  fc.assert(
    fc.property(
      fc.uint8Array(),
      mark,
      fc.integer({ min: 1, max: 76 }),
      sizes,
      (bytes, before, width, cut) => {
        const lines =
          Buffer.from(bytes)
            .toString('base64')
            .match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        expect(decoded(`${before}${lines.join('\r\n')}\n`, cut)).toEqual(Buffer.from(bytes));
      },
    ),
    { numRuns: 500 },
  );
});

test.each(['data:text/plain,YQ==', 'data:text/plain;base64', `data:${'x'.repeat(2000)};base64,YQ==`])(
  'the URI %.40s is not base64',
  text => expect(decoded(text, [7])).toBeUndefined(),
);
