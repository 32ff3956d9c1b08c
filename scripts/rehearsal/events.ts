import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseNode } from './database-node.ts';
import type { Load } from './load.ts';
import type { Stand } from './stand.ts';

/** Something that happens under load, and how it ends. */
export interface Event {
  name: string;
  /** Lets it happen. Answers when it is over: changes are taken again, and everything runs as before. */
  happen(stand: Stand, load: Load): Promise<void>;
}

/** Longest wait for a new leader, and for the first change that it takes. */
const PATIENCE_MS = 120_000;

async function until(what: string, isThere: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isThere()); await sleep(50))
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
}

/** Waits until another node leads, and clients write and read again. */
async function untilTakenOver(stand: Stand, load: Load, old: DatabaseNode): Promise<void> {
  const leads = (): Promise<boolean> =>
    stand.leader(old).then(
      () => true,
      () => false,
    );
  await until('another leader', leads);
  const led = performance.now();
  await until('changes after that', () => load.writes.since(led) && load.reads.since(led));
}

const kill: Event = {
  name: 'the machine of the primary fails',
  async happen(stand, load) {
    const leader = await stand.leader();
    await leader.kill();
    await untilTakenOver(stand, load, leader);
    leader.start();
  },
};

const crash: Event = {
  name: 'the primary is killed',
  async happen(stand, load) {
    const leader = await stand.leader();
    await leader.killPostgres();
    await untilTakenOver(stand, load, leader);
  },
};

const cut: Event = {
  name: 'the primary is cut off',
  async happen(stand, load) {
    const leader = await stand.leader();
    leader.cut();
    await untilTakenOver(stand, load, leader).finally(() => leader.mend());
  },
};

const freeze: Event = {
  name: 'the machine of the primary stands still',
  async happen(stand, load) {
    const leader = await stand.leader();
    const goOn = await leader.freeze();
    await untilTakenOver(stand, load, leader).finally(goOn);
  },
};

const restart: Event = {
  name: 'the nodes of the service are restarted, one after the other',
  async happen(stand) {
    for (const [i, service] of stand.services.entries()) {
      await service.stop();
      await stand.startService(i);
    }
  },
};

const fill: Event = {
  name: 'the disk of the primary is full',
  async happen(stand, load) {
    const leader = await stand.leader();
    const filler = join(leader.folder, 'filler');
    await fillDisk(filler);
    try {
      await stand.writeLog(leader);
      await untilTakenOver(stand, load, leader);
    } finally {
      await rm(filler);
    }
  },
};

async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(1_048_576);
  try {
    for (let size = block.length; size >= 4096;)
      await file.write(block, 0, size).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
        size /= 2;
      });
  } finally {
    await file.close();
  }
}

/** The events of a rehearsal, in their order. */
export function eventsOf(short: boolean, hasDisks: boolean): Event[] {
  if (short) return [crash, cut];
  const all = [kill, crash, kill, crash, kill, cut, cut, cut, cut, cut, freeze, restart];
  return hasDisks ? [...all, fill] : all;
}
