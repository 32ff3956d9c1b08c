import 'reflect-metadata';
import { readdir } from 'node:fs/promises';

/**
 * What every module below a folder exports, in the order of their names. A new entity, resolver or report
 * is found by being there: no list has to be kept.
 */
export async function exportsBelow(folder: URL): Promise<unknown[]> {
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter(name => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts')).toSorted();
  const loaded = await Promise.all(
    modules.map(name => import(new URL(name.replaceAll('\\', '/'), folder).href)),
  );
  return loaded.flatMap(module => Object.values(module as object));
}
