/** Byte order marks and first bytes that show the encoding. */
const MARKS = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * The text of an XML document. Many servers and documents declare a wrong encoding, so the declaration is used only
 * for bytes that are not valid UTF-8. Text in another encoding is practically never valid UTF-8.
 */
export function decodeXml(bytes: Uint8Array, contentType: string): string {
  const marked = MARKS.find(mark => mark.bytes.every((byte, i) => bytes[i] === byte));
  if (marked) return new TextDecoder(marked.encoding).decode(bytes);
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const named = [
    /charset="?([\w.:-]+)/i.exec(contentType)?.[1],
    /^<\?xml[^>]*\bencoding=["']([\w.:-]+)/i.exec(start)?.[1],
  ];
  for (const encoding of ['utf-8', ...named]) {
    const text = encoding && attempt(encoding, bytes);
    if (text !== undefined && text !== '') return text;
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

/** The decoded text; undefined if the encoding is unknown or the bytes are invalid in it. */
function attempt(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
