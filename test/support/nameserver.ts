import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';

const HEADER = 12;
/** Type and class of a question. */
const FIXED = 4;
const TYPE_A = 1;
const NO_SUCH_NAME = 3;

/** The IPv4 addresses of names; `missing` for a name of which the nameserver says that there is none. */
type Records = ReadonlyMap<string, string[] | 'missing'>;

/** A nameserver on a real socket. It answers nothing about names that it does not have. */
export function useNameserver(records: Records): () => string {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const answer = answerTo(query, records);
    if (answer) socket.send(answer, port, address);
  });
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  });
  afterAll(() => socket.close());
  return () => `127.0.0.1:${socket.address().port}`;
}

/** The answer after RFC 1035, 4.1. */
function answerTo(query: Buffer, records: Records): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER;
  for (let length; (length = query[at]!) > 0; at += length + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
  const question = query.subarray(HEADER, at + 1 + FIXED);
  const found = records.get(labels.join('.').toLowerCase());
  if (!found) return undefined;
  const isAsked = found !== 'missing' && query.readUInt16BE(at + 1) === TYPE_A;
  const addresses = isAsked ? found : [];
  const header = Buffer.alloc(HEADER);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (found === 'missing' ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  // Each answer: a pointer to the name in the question, type A, class IN, no time to live, and four bytes.
  const answers = addresses.map(address =>
    Buffer.from([0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...answers]);
}
