import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { project } from './project.ts';
import type { Report } from './report.ts';

const folder = join(project, '.data/rehearsal');
const nameOf = (moment: string): string => moment.replaceAll(':', '-');

export async function saveReport(report: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${nameOf(report.at)}.json`), JSON.stringify(report, undefined, 2));
}

/** Copies the logs of all programs that ran in `source`. @returns the folder of the copies */
export async function saveLogs(source: string): Promise<string> {
  const target = join(folder, `${nameOf(new Date().toISOString())}-failed`);
  const isLog = (path: string): boolean => path === source || /\/node\d$|\.log$/.test(path);
  await cp(source, target, { recursive: true, filter: isLog });
  return target;
}
