import { inflateRawSync } from 'node:zlib';

/** The files in a zip file, found by its central directory. */
export function unzip(zip: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16); zip.readUInt32LE(at) === 0x02014b50;) {
    const [name, extra, comment] = [28, 30, 32].map(field => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(at + 20)));
    parts.set(
      zip.toString('utf8', at + 46, at + 46 + name),
      new TextDecoder('utf8', { fatal: true }).decode(content),
    );
    at += 46 + name + extra + comment;
  }
  return parts;
}
