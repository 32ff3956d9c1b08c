import { setTimeout as sleep } from 'node:timers/promises';
import {
  answers,
  findEmbedded,
  FolderTaken,
  hasEmbedded,
  startEmbedded,
  type EmbeddedDatabase,
} from '../embedded-postgres/embedded.ts';
import { OperatorError } from '../errors.ts';
import type { UntilSignal } from './interruption.ts';
import { complain } from './output.ts';

/** Longest wait for a service that has begun to start its database. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Works on the embedded database of the running service with this data folder, or starts it for the work. While another
 * command has started it, this one waits, because that command also stops it.
 * @throws OperatorError when there is no such database, it does not start, or its process does not let it answer
 */
export async function withEmbedded(
  dataDir: string,
  untilSignal: UntilSignal,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const running = await untilSignal(ofService(dataDir));
  if (running) return untilSignal(work(running));
  // Work on a new, empty database would find nothing wrong, or take everything that is stored for unused.
  if (!(await hasEmbedded(dataDir)))
    throw new OperatorError(
      `There is no embedded database in ${dataDir} yet. Set DATABASE_URL to the database to work on, or start the service once to create one.`,
    );
  const own = await ownDatabase(dataDir);
  if (!own) return withEmbedded(dataDir, untilSignal, work);
  try {
    await untilSignal(work(own.url));
  } finally {
    await own.stop();
  }
}

/** Address of the database of a running service, when it answers; undefined when nobody uses the data folder. */
async function ofService(dataDir: string): Promise<string | undefined> {
  const end = performance.now() + PATIENCE_MS;
  for (let told = false; ; await sleep(PAUSE_MS)) {
    const found = await findEmbedded(dataDir);
    if (!found) return undefined;
    const { pid, isCommand, url } = found;
    if (isCommand) {
      if (!told)
        complain(`Process ${pid}, another command, uses the embedded database. Waiting until it ends.`);
      told = true;
    } else if (await answers(url)) return url;
    else if (performance.now() > end)
      throw new OperatorError(
        `Process ${pid} uses the data folder ${dataDir}, but its database does not answer. Wait until it is ready, or end it. Then start again.`,
      );
  }
}

/** Starts the database; undefined if another process was first. */
async function ownDatabase(dataDir: string): Promise<EmbeddedDatabase | undefined> {
  try {
    return await startEmbedded({ dataDir, log: () => undefined, isCommand: true });
  } catch (error) {
    if (error instanceof FolderTaken) return undefined;
    throw new OperatorError((error as Error).message, { cause: error });
  }
}
