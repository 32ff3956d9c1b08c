import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseNode } from './database-node.ts';
import type { Load } from './load.ts';
import { expectNextColumn, makeNextVersion } from './next-version.ts';
import type { Installation } from './installation.ts';

/** A failure or a change of the installation under load. */
export interface Event {
  name: string;
  /** Makes it happen. Resolves when it is over: writes succeed again, and everything runs as before. */
  run(installation: Installation, load: Load): Promise<void>;
}

/** Twice `fail_timeout` of deploy/nginx/sii.conf: after that nginx uses a node again that was restarted. */
const BALANCER_MS = 2_000;

/** Longest wait for a new leader, and for the first write that it accepts. */
const TIMEOUT_MS = 120_000;

async function until(what: string, isThere: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !(await isThere()); await sleep(50))
    if (performance.now() > end) throw new Error(`${what} did not happen within ${TIMEOUT_MS / 1000} s`);
}

/** Waits until another node leads, and clients write and read again. */
async function untilTakenOver(installation: Installation, load: Load, old: DatabaseNode): Promise<void> {
  const leads = (): Promise<boolean> =>
    installation.cluster.leader(old).then(
      () => true,
      () => false,
    );
  await until('a failover', leads);
  const led = performance.now();
  await until('a write and a read after the failover', () => load.writes.since(led) && load.reads.since(led));
}

const kill: Event = {
  name: 'the machine of the primary fails',
  async run(installation, load) {
    const leader = await installation.cluster.leader();
    await leader.kill();
    await untilTakenOver(installation, load, leader);
    leader.start();
  },
};

const crash: Event = {
  name: 'the primary is killed',
  async run(installation, load) {
    const leader = await installation.cluster.leader();
    await leader.killPostgres();
    await untilTakenOver(installation, load, leader);
  },
};

const cut: Event = {
  name: 'the primary is cut off',
  async run(installation, load) {
    const leader = await installation.cluster.leader();
    leader.cut();
    await untilTakenOver(installation, load, leader).finally(() => leader.mend());
  },
};

const freeze: Event = {
  name: 'the machine of the primary is suspended',
  async run(installation, load) {
    const leader = await installation.cluster.leader();
    const resume = await leader.freeze();
    await untilTakenOver(installation, load, leader).finally(resume);
  },
};

const upgrade: Event = {
  name: 'the nodes of the service get the next version, one after the other',
  async run(installation, load) {
    const next = await makeNextVersion(installation.folder);
    for (const i of installation.nodes.keys()) {
      await installation.replaceService(i, next);
      await sleep(BALANCER_MS);
      await expectNextColumn(installation);
      // In the first round the second node still runs the version before.
      for (const [n, node] of installation.nodes.entries())
        await load.enterAt(node, `rehearsal upgrade ${i + 1}, node ${n + 1}`);
      const now = performance.now();
      await until(
        'a write and a read after the restart',
        () => load.writes.since(now) && load.reads.since(now),
      );
    }
  },
};

const fill: Event = {
  name: 'the disk of the primary is full',
  async run(installation, load) {
    const leader = await installation.cluster.leader();
    const filler = join(leader.folder, 'filler');
    await fillDisk(filler);
    try {
      await installation.cluster.fillLog(leader);
      await untilTakenOver(installation, load, leader);
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

/** The events of a rehearsal, in order. */
export function eventsOf(short: boolean, hasDisks: boolean): Event[] {
  if (short) return [crash, cut];
  const all = [kill, crash, kill, crash, kill, cut, cut, cut, cut, cut, freeze, upgrade];
  return hasDisks ? [...all, fill] : all;
}
