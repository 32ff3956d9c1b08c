import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { project } from './support/process.ts';

const text = (path: string): Promise<string> => readFile(join(project, path), 'utf8');

it('npm start, the image and the unit of systemd start the service with the same options of Node.js', async () => {
  const { scripts } = JSON.parse(await text('package.json')) as { scripts: { start: string } };
  const [, ...started] = /^exec node (.+)$/.exec(scripts.start)!;
  const [, image] = /^CMD (.+)$/m.exec(await text('Dockerfile'))!;
  const [, unit] = /^ExecStart=\S+\/node (.+)$/m.exec(await text('deploy/systemd/sii@.service'))!;
  const [node, ...options] = JSON.parse(image!) as string[];
  expect(node).toBe('node');
  expect([options.join(' '), unit]).toEqual([started[0], started[0]]);
  expect(started[0]).toContain('--heap-growing-percent');
});
