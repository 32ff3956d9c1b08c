import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one transparent dot, with so many bits for each colour. */
export function png(bits: 8 | 16): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type), data]);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, bits, 6, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.alloc(1 + bits / 2))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
