import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './support/problem.ts';
import { startService, type TestService } from './support/service.ts';

/**
 * An LDAP server in a separate process, so that its processor time does not count as the service's. It accepts every
 * bind.
 */
const server = (flood: string): string => `
const message = (id, op) => Buffer.concat([Buffer.from([0x30, 3 + op.length, 2, 1, id]), op]);
const bound = Buffer.from([0x61, 7, 0x0a, 1, 0, 4, 0, 4, 0]);
const entry = Buffer.from([0x64, 5, 4, 1, 0x78, 0x30, 0]);
const giant = Buffer.from([0x30, 0x84, 0x10, 0, 0, 0]);
const forever = (socket, bytes) => {
  const more = () => { while (!socket.destroyed && socket.write(bytes)); };
  socket.on('drain', more);
  more();
};
require('node:net').createServer(socket => {
  socket.on('error', () => {});
  socket.on('data', data => {
    const at = data[1] < 0x80 ? 2 : 2 + data[1] - 0x80;
    const id = data[at + 2];
    if (data[at + 3] === 0x60) return socket.write(message(id, bound));
    ${flood}
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const floods: [name: string, flood: string, reason: RegExp][] = [
  [
    'one message of 256 MB',
    'socket.write(giant); forever(socket, Buffer.alloc(65536));',
    /a message that is too large/,
  ],
  [
    'entries without end',
    'forever(socket, Buffer.concat(Array(1000).fill(message(id, entry))));',
    /messages without end/,
  ],
  [
    'entries without end, each nearly as large as one may be',
    `const value = Buffer.concat([Buffer.from([4, 0x83, 0x0e, 0, 0]), Buffer.alloc(0x0e0000)]);
    const long = (tag, content) => {
      const head = Buffer.from([tag, 0x83, 0, 0, 0]);
      head.writeUIntBE(content.length, 2, 3);
      return Buffer.concat([head, content]);
    };
    const attribute = long(0x30, Buffer.concat([Buffer.from([4, 1, 0x78]), long(0x31, value)]));
    const op = long(0x64, Buffer.concat([Buffer.from([4, 1, 0x78]), long(0x30, attribute)]));
    forever(socket, long(0x30, Buffer.concat([Buffer.from([2, 1, id]), op])));`,
    /an answer that is too large/,
  ],
  [
    'data that is not LDAP',
    "forever(socket, Buffer.from('HTTP/1.1 200 OK'.repeat(1000)));",
    /data that is not LDAP/,
  ],
];

describe.each(floods)('an LDAP server that sends %s', (_name, flood, reason) => {
  let child: ChildProcess;
  let service: TestService;
  let logged = '';

  beforeAll(async () => {
    child = spawn(process.execPath, ['-e', server(flood)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout!, 'data')) as [Buffer];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    const environment = {
      LDAP_URL: `ldap://127.0.0.1:${String(port).trim()}`,
      LDAP_BIND_DN: 'cn=x',
      LDAP_BIND_PASSWORD: 'x',
      LDAP_USERS_DN: 'ou=x',
      LDAP_ACCOUNTS_DN: 'ou=y',
      LDAP_TIMEOUT_MS: '3000',
    };
    service = await startService(environment, undefined, pino(sink));
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await service.stop();
  });

  it('is disconnected without keeping the processor busy, and the request is answered 503', async () => {
    const admin = await service.as('admin');
    const before = process.cpuUsage();
    const answer = await admin.get('/institucional/usuarios-ldap');
    const { user, system } = process.cpuUsage(before);
    expectProblem(answer, 503, 'UNAVAILABLE');
    expect(logged).toMatch(reason);
    // A quadratic reader takes all of the 3 s that the server is given.
    expect((user + system) / 1e6).toBeLessThan(1.5);
  });
});
