import 'reflect-metadata';
import { readdir } from 'node:fs/promises';

/**
 * Everything that the modules below a folder export, in the order of their names. A new entity, resolver or report is
 * found by its place: there is no list to maintain. The build replaces each call by a list, so the call must name its
 * folder with `new URL(…, import.meta.url)`.
 */
export async function exportsBelow(folder: URL): Promise<unknown[]> {
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter(name => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts')).toSorted();
  const loaded: object[] = [];
  // Sequentially, because some loaders evaluate modules that import each other twice when they are loaded in parallel.
  for (const name of modules) {
    loaded.push((await import(new URL(name.replaceAll('\\', '/'), folder).href)) as object);
  }
  return loaded.flatMap(module => Object.values(module));
}
