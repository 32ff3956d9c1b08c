import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { Options } from './options.ts';
import { asTable, type Report } from './report.ts';

const FOLDER = new URL('./results/', import.meta.url);

const ADDITIONS = 1e9;

/** Seconds that one processor takes for a fixed piece of work. Figures in ms of different machines compare only by it. */
function secondsOfWork(): string {
  const before = performance.now();
  sumOf(ADDITIONS);
  return ((performance.now() - before) / 1000).toFixed(1);
}

function sumOf(count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += i;
  return sum;
}

/** Keeps the figures of a whole run under the day on which it ended. */
export async function save(report: Report, { rows, rounds, seconds, ...options }: Options): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const text = `# Load run of ${day}

Node ${process.versions.node}, ${processors.length} × ${processors[0]!.model}, of which one
takes ${secondsOfWork()} s for ${ADDITIONS.toLocaleString('en')} additions. Load average ${loadavg()[1]!.toFixed(1)} over the last five minutes. ${rows.map(size => size.toLocaleString('en')).join(', ')} materials;
plain names are of 100,000. ${rounds} rounds of ${seconds} s.
The baseline ${options.baselineAuth ? 'looks up' : 'does not look up'} session and permission, and
${options.baselinePrepared ? 'prepares' : 'does not prepare'} its statements. What is measured, and how: [README](../README.md).

${asTable(report)}
`;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL(`${day}.md`, FOLDER), text);
}
