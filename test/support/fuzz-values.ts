import fc from 'fast-check';

/** Splits a raw text into words. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Texts that some layer may misinterpret: white space, characters of several code units, SQL, patterns, numbers, dates.
 */
const blanks = [
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  'a\0b',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u202eabc',
  '\uffff',
];
const letters = ['\ud800', '\udfff', 'a\ud83d', '\udca3\ud83d', 'e\u0301', '\u0301', 'a\u200db'];
const sentences = [
  `'; drop table pessoa; --`,
  `' or '1'='1`,
  '1; select pg_sleep(9)',
  'asc, id',
  '1 BC',
  '1 ',
  ' 1',
];
const known = words(String.raw`
  💣 🏳️‍🌈 İ ß ﬁ ǅ ٣ １ ² __proto__ constructor toString hasOwnProperty valueOf length then id * ' " $1 ? ?? :id ::int
  % _ \ \\ %% %_% [a-z] .* ( ) (a+)+$ *)(uid=* \2a cn=x,dc=y {"$like":"%"} {"$ne":null} {} [] {{7*7}} <script>x</script>
  null undefined NaN Infinity -Infinity true TRUE yes S s A asc DESC 0 -0 +1 01 1.0 1,5 1_000 1e3 1e400 0x10 1n --1 1:2 1:2:3:4
  2147483647 2147483648 -2147483648 -2147483649 4294967296 9007199254740993 9223372036854775808 99999999999999999999999999
  0000-01-01 0001-01-01 9999-12-31 10000-01-01 +275760-09-13 -271821-04-20 2026-02-30 2026/02/28 2026-13-01 2026-1-1
  2026-01-01T00:00:00Z 2026-01-01T25:00:00Z 9999-12-31T23:59:59.999-14:00 0001-01-01T00:00:00+14:00 2026-12-31T23:59:60Z
  infinity epoch now today =1+1 +1+1 -1 @SUM(A1) ../../etc/passwd C:\con a/b http://127.0.0.1/ a@b.c a@b@c
  data:;base64,YQ== YQ== YQ ==== text/plain 00.000.000/0000-00 00000000000000`);

const unpaired = fc
  .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 4 })
  .map(units => String.fromCharCode(...units));

/** Any text, usually one that some layer may misinterpret. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...blanks, ...letters, ...sentences, ...known) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: unpaired },
  { weight: 1, arbitrary: fc.constantFrom(255, 256, 257, 501, 2001, 6000).map(length => 'ã'.repeat(length)) },
);

/** Members with a special meaning in JavaScript, and operators of query languages. */
const oddNames = fc.constantFrom(
  '',
  ...words('__proto__ constructor prototype toString toJSON then hasOwnProperty id $ne $where'),
);

const oddJson = words(String.raw`
  null true false 0 -0 1 -1 1.5 1e0 1e400 -1e400 1e-400 0.1e1 1e10 2147483647 2147483648 -2147483648 -2147483649 4294967297
  9007199254740993 9223372036854775808 123456789012345678901234567890 "1" "\u0000" "\ud800" "\udc00x" {} [] [null] [1] ["a"]
  [[]] [{}] [1,[2,[3]]] {"id":1} {"length":3} {"0":"a"} {"$ne":null} {"$like":"%"} {"toString":1} {"then":1}
  {"valueOf":null,"toString":null} {"__proto__":{"admin":true}} {"constructor":{"prototype":{"admin":true}}}
  {"type":"Buffer","data":[1]}`);

const deepArray = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deepObject = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** One JSON value, possibly outside the range of JavaScript: `1e400`, `-0`, half a surrogate pair. */
export const anyJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyText.map(text => JSON.stringify(text)) },
  { weight: 6, arbitrary: fc.constantFrom(...oddJson) },
  { weight: 1, arbitrary: oddNames.map(name => jsonObject([[name, jsonObject([[name, '1']])]])) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(deepArray) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(deepObject) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(20_000, 400_000).map(length => JSON.stringify('é'.repeat(length))),
  },
);

/** An object with these members. Some may occur twice; then the last one counts. */
export function jsonObject(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** A member that no schema contains. */
export const oddMember = fc.tuple(oddNames, anyJson);

const noJson = words(String.raw`
  { } {" {"a": {"a":1,} {a:1} {'a':1} {"a":1}{"b":2} NaN Infinity undefined a=1&b=2 <a/> {"a":01} {"a":+1} {"a":.5} {"a":"\x"}`);
/** Invalid UTF-8: overlong, half a pair, beyond Unicode, truncated. */
const noUtf8 = words('c0af eda080 f4908080 e282 ff 80').map(hex =>
  Buffer.concat([Buffer.from('{"nome":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
);
const otherEncodings = (['utf16le', 'latin1'] as const).map(encoding =>
  Buffer.from('{"nome":"ã"}', encoding),
);

/** A whole body that is not JSON, or not an object. */
export const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  anyJson.map(text => Buffer.from(text)),
  fc.uint8Array({ maxLength: 30 }).map(bytes => Buffer.from(bytes)),
  fc
    .constantFrom('', ' ', '{"a":1}\0', '\ufeff{}', '//x\n{}', '{"a":"\n"}', ...noJson)
    .map(text => Buffer.from(text)),
  fc
    .constantFrom('['.repeat(5_000), '['.repeat(200_000), deepObject(5_000), deepObject(100_000))
    .map(text => Buffer.from(text)),
  fc.constantFrom(...noUtf8, ...otherEncodings),
);

const escapes = words(String.raw`
  % %z %zz %1 %% %00 %C0%AF %ED%A0%80 %F4%90%80%80 %E2%82 %FF %u0041 %25%30%30 a+b + ; : :: @ ! ' ( ) , ,, 1,2 1%3A2 1:2 1%3a2%3a3
  [] [a]=1 é Ã£ . .. %2e%2e %2F %5C %3F %23 null {} | ^ \ " < ${'`'}`);

/** A part of a URL: correctly encoded text, or an invalid encoding. */
export const anyEscaped: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyText.map(text => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('\u0080', ...escapes) },
);
