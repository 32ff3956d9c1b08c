import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { CLUSTER, exists } from './place.ts';

const Settings = z.object({
  password: z.string().min(1),
  port: z.number().int(),
  /** Folder of the cluster when its server cannot reach the data folder. */
  home: z.string().optional(),
});
export type Settings = z.infer<typeof Settings>;

const fileIn = (dataDir: string) => join(dataDir, 'postgres.json');

/**
 * The stored settings of a data folder; new ones for a new folder.
 * @throws Error when the file is damaged, or missing although there is a database
 */
export async function settingsOf(dataDir: string): Promise<Settings> {
  const path = fileIn(dataDir);
  try {
    return Settings.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing && !(await exists(join(dataDir, CLUSTER)))) return newSettings();
    throw new Error(
      `${path}, with the password of the database, is ${missing ? 'missing' : 'damaged'}. Restore it from a backup of the data folder.`,
      { cause: error },
    );
  }
}

async function newSettings(): Promise<Settings> {
  return { password: randomBytes(24).toString('hex'), port: await freePort() };
}

export async function writeSettings(dataDir: string, settings: Settings): Promise<void> {
  const path = fileIn(dataDir);
  await writeFile(`${path}.new`, JSON.stringify(settings), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The preferred port of 127.0.0.1 if it is free, otherwise another free port. */
export async function freePort(wished?: number): Promise<number> {
  if (wished !== undefined && (await isFree(wished))) return wished;
  for (;;) {
    // Below the range of outgoing connections, which could take the port while the server restarts.
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
