import 'reflect-metadata';
import { readdir } from 'node:fs/promises';

/**
 * What every module below a folder exports, in the order of their names. A new entity, resolver or report
 * is found by being there: no list has to be kept. The build puts a list in the place of each call, which
 * must name its folder by `new URL(…, import.meta.url)`.
 */
export async function exportsBelow(folder: URL): Promise<unknown[]> {
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter(name => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts')).toSorted();
  const loaded: object[] = [];
  // Sequentially, because some loaders evaluate modules that import each other twice when they load in parallel.
  for (const name of modules) {
    loaded.push((await import(new URL(name.replaceAll('\\', '/'), folder).href)) as object);
  }
  return loaded.flatMap(module => Object.values(module));
}
