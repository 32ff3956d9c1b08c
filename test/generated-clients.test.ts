import { execFile } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders } from './support/client.ts';
import { temporaryFolder } from './support/folder.ts';
import { project } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const bin = (name: string): string => join(project, 'node_modules/.bin', name);
let folder: string;
/** The output and the errors of a program. */
const run = (file: string, args: string[]): Promise<{ printed: string; complaint: string }> =>
  promisify(execFile)(file, args, { cwd: folder, maxBuffer: 64 << 20 }).then(
    ({ stdout, stderr }) => ({ printed: stdout, complaint: stderr }),
    (error: { stdout: string; stderr: string }) => ({ printed: '', complaint: error.stdout + error.stderr }),
  );

interface Ran {
  outcomes: Record<string, unknown>;
  cache: {
    fresh: unknown;
    stock: { answered: unknown; cached: unknown };
    titles: { answered: string; before: string; after: string; written: string };
  };
  schema: string[];
  another: string[];
}
let complaints: string[];
let ran: Ran;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(join(project, 'test/clients/programs'), folder, { recursive: true });
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(join(folder, 'generated'));
  const { url } = service();
  const generate = join(project, 'test/clients/generate.ts');
  const generator = await run(bin('node'), [generate, url, join(folder, 'generated')]);
  const compiler = await run(bin('tsc'), ['-p', folder]);
  complaints = [generator.complaint, compiler.complaint];
  const about = JSON.stringify({ url, system: systemHeaders });
  const program = ['--import', 'tsx', join(folder, 'all.ts'), about, join(project, 'schema.graphql')];
  const { printed, complaint } = await run(bin('node'), program);
  complaints.push(complaint);
  ran = JSON.parse(printed || '{"outcomes":{}}') as Ran;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('clients that are generated from the published documents', () => {
  it('are generated, compile under the strict compiler, and run', () => {
    expect(complaints).toEqual(['', '', '']);
  });

  it.each(['openapiFetch', 'heyApi', 'graphqlRequest', 'urql', 'apollo'])(
    '%s logs in, lists, creates, approves, downloads and reads errors',
    name => {
      const isRest = ['openapiFetch', 'heyApi'].includes(name);
      expect(ran.outcomes[name]).toEqual({
        person: expect.stringMatching(/\S/),
        found: { total: 7, title: 'Ácido acético glacial', unit: 'L' },
        created: 1,
        approved: isRest ? 'A' : 'APROVADA',
        downloaded: '%PDF',
        refused: 'NOT_FOUND',
      });
    },
  );
});

describe('the normalised cache of Apollo Client', () => {
  it('answers what the service answered', () => {
    const { stock } = ran.cache;
    expect(stock.cached).toEqual(stock.answered);
    expect((stock.answered as { estoques: { data: unknown[] } }).estoques.data.length).toBeGreaterThan(10);
  });

  it('shows in a list what a mutation has changed of its record', () => {
    const { answered, before, after, written } = ran.cache.titles;
    expect([before, after]).toEqual([answered, written]);
    expect(written).not.toBe(answered);
  });
});

describe('schema.graphql', () => {
  it('is what the service describes, says graphql-inspector', () => {
    expect(ran.schema).toEqual([]);
    expect(ran.another).not.toEqual([]);
  });
});
