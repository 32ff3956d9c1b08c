import { crc32, inflateRawSync } from 'node:zlib';

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

/** A zip file with these files, not compressed. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    // From the version to the length of the extra field, as both the file and the directory have it.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(content.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, content]);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), shared, entry, path);
    contents.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  for (const at of [8, 10]) end.writeUInt16LE(contents.length, at);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...contents, entries, end]);
}
