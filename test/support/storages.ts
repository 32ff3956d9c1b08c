import { cp, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import S3rver from 's3rver';
import { inject } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { openStorage } from '../../src/storage/open.ts';
import { LABEL, placeOf, type Storage } from '../../src/storage/storage.ts';
import { temporaryFolder } from './folder.ts';

/** A storage for one test, with ways to damage it. */
export interface TestStorage {
  /** Settings with which a service uses it. */
  environment: NodeJS.ProcessEnv;
  /** Folder of incomplete uploads. */
  incoming: string;
  open(): Promise<Storage>;
  /** Changes one bit of a stored content. */
  damage(sha256: string): Promise<void>;
  /** Makes a stored content one byte shorter. */
  shorten(sha256: string): Promise<void>;
  lose(sha256: string): Promise<void>;
  /** Makes a stored content older than any time of grace. */
  age(sha256: string): Promise<void>;
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Every kind of storage, each started for one test file. */
export const storages: [name: string, start: () => Promise<TestStorage>][] = [
  ['on disk', startDisk],
  ['in a bucket', startBucket],
];

async function startDisk(): Promise<TestStorage> {
  const folder = await temporaryFolder();
  const files = join(folder, 'files');
  return testStorage({
    folder,
    environment: { DATA_DIR: folder },
    pathOf: sha256 => join(files, placeOf(sha256)),
    leave: async () => {
      await rename(files, `${files}.away`);
      await writeFile(files, 'where a folder should be');
    },
    comeBack: async () => {
      await rm(files);
      await rename(`${files}.away`, files);
    },
  });
}

const BUCKET = 'arquivos';

export async function startBucket(): Promise<TestStorage> {
  const folder = await temporaryFolder();
  const directory = join(folder, 's3');
  await mkdir(directory);
  const port = await freePort();
  const start = async () => {
    const options = { address: '127.0.0.1', port, directory, silent: true };
    const server = new S3rver({ ...options, configureBuckets: [{ name: BUCKET }] });
    await server.run();
    return server;
  };
  let running = await start();
  const leave = async (): Promise<void> => {
    running.httpServer.closeAllConnections();
    await running.close();
  };
  return testStorage({
    folder,
    environment: {
      DATA_DIR: folder,
      FILES_S3_BUCKET: BUCKET,
      FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      FILES_S3_ACCESS_KEY_ID: 'S3RVER',
      FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    pathOf: sha256 => join(directory, BUCKET, `${placeOf(sha256)}._S3rver_object`),
    leave,
    comeBack: async () => {
      running = await start();
    },
    end: leave,
  });
}

interface Parts extends Pick<TestStorage, 'environment' | 'leave' | 'comeBack'> {
  folder: string;
  /** Path of a stored content. */
  pathOf: (sha256: string) => string;
  end?: () => Promise<void>;
}

function testStorage({ folder, pathOf, end, ...rest }: Parts): TestStorage {
  const change = async (sha256: string, to: (bytes: Buffer) => Buffer): Promise<void> =>
    writeFile(pathOf(sha256), to(await readFile(pathOf(sha256))));
  return {
    ...rest,
    incoming: join(folder, 'files/incoming'),
    open: () => openStorage(readConfig(rest.environment)),
    damage: sha256 =>
      change(sha256, bytes => {
        bytes[bytes.length >> 1]! ^= 1;
        return bytes;
      }),
    shorten: sha256 => change(sha256, bytes => bytes.subarray(1)),
    lose: sha256 => rm(pathOf(sha256)),
    age: sha256 => utimes(pathOf(sha256), new Date(0), new Date(0)),
    stop: async () => {
      await end?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the demo's files, and no others, into a data folder, where they belong to no database yet. */
export async function copyDemoFiles(dataDir: string): Promise<void> {
  const filter = (path: string): boolean => basename(path) !== LABEL;
  await cp(join(inject('usedFolder'), 'files'), join(dataDir, 'files'), { recursive: true, filter });
}
