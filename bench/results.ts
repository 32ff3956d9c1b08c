import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { Options } from './options.ts';
import { asTable, type Report } from './report.ts';

const FOLDER = new URL('./results/', import.meta.url);

/** Keeps the figures of a whole run under the day on which it ended. */
export async function save(report: Report, { rows, rounds, seconds, ...options }: Options): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const text = `# Load run of ${day}

Node ${process.versions.node}, ${processors.length} × ${processors[0]!.model}, load average ${loadavg()[1]!.toFixed(1)} over the
last five minutes. ${rows.map(size => size.toLocaleString('en')).join(', ')} materials; plain names are of 100,000. ${rounds} rounds of ${seconds} s.
The baseline ${options.baselineAuth ? 'looks up' : 'does not look up'} session and permission, and
${options.baselinePrepared ? 'prepares' : 'does not prepare'} its statements. What is measured, and how: [README](../README.md).

${asTable(report)}
`;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL(`${day}.md`, FOLDER), text);
}
