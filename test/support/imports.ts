import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Importable } from '../../src/imports/importable.ts';
import { importables, importFile } from '../../src/imports/import-file.ts';
import { fileAt } from '../../src/imports/rows.ts';
import { temporaryFolder } from './folder.ts';
import { build, useProcesses } from './process.ts';
import type { TestService } from './service.ts';

/** Files to import into a service, by the built command or without a process of its own. */
export function useImports(service: () => TestService) {
  const processes = useProcesses();
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await build();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function file(content: string | Buffer, type = 'csv'): Promise<string> {
    const path = join(folder, `${++files}.${type}`);
    await writeFile(path, content);
    return path;
  }

  const command = (...args: string[]) =>
    processes.command('import', { DATABASE_URL: service().databaseUrl }, args);

  /** What the command says, when it ends with this exit code. */
  async function run(code: number, ...args: string[]): Promise<string> {
    const one = command(...args);
    const exit = await one.exited;
    expect({ ...exit, stderr: code === 0 ? one.stderr : '' }).toEqual({ code, signal: null, stderr: '' });
    return code === 0 ? one.stdout : one.stderr;
  }

  const importAs = async (importable: Importable, path: string, dryRun = false, as?: string) =>
    importFile(service().services, importable, await fileAt(path), { dryRun, as, progress: () => {} });

  return {
    /** Writes a file, and answers its path. */
    file,
    /** A path where there is no file. */
    nowhere: () => join(folder, 'nowhere.csv'),
    run,
    /** The command where no statement of a request may take longer than the least time. */
    hurried: (...args: string[]) =>
      processes.command(
        'import',
        { DATABASE_URL: service().databaseUrl, STATEMENT_TIMEOUT_MS: '1000' },
        args,
      ),
    /** The command without a database. */
    alone: (...args: string[]) => processes.command('import', {}, args),
    importAs,
    load: async (records: string, path: string, dryRun = false, as?: string) =>
      importAs((await importables()).get(records)!, path, dryRun, as),
  };
}
