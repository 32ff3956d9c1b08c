import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from './support/process.ts';

const source = join(project, 'src');

/** The rooms of `src` in the order of the README's tree, from top to bottom. */
async function rooms(): Promise<string[]> {
  const readme = await readFile(join(project, 'README.md'), 'utf8');
  const [, tree = ''] = /^src\/.*\n((?: {2}\S.*\n)+)/m.exec(readme) ?? [];
  return tree.trimEnd().split('\n').flatMap(namesOf);
}

/** A line begins with one or several names: `config.ts settings/   what they are`. */
function namesOf(line: string): string[] {
  const words = line.trim().split(' ');
  const end = words.findIndex(word => !/^[\w-]+(\.ts|\/\S*)$/.test(word));
  return words.slice(0, end).map(word => word.replace(/\/.*$/, ''));
}

const roomOf = (file: string): string => file.split(sep)[0]!;

/** Each import between two files of `src`. */
async function imports(): Promise<{ from: string; to: string }[]> {
  const files = (await readdir(source, { recursive: true })).filter(name => name.endsWith('.ts'));
  const found = await Promise.all(
    files.map(async from => {
      const text = await readFile(join(source, from), 'utf8');
      return [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path]) => ({
        from,
        to: normalize(join(dirname(from), path!)),
      }));
    }),
  );
  return found.flat();
}

describe('the rooms of src', () => {
  it('all stand in the tree of the README', async () => {
    const entries = (await readdir(source)).toSorted();
    expect((await rooms()).toSorted()).toEqual(entries);
  });

  it('import nothing that stands above them', async () => {
    const order = await rooms();
    const upwards = (await imports()).filter(
      ({ from, to }) => order.indexOf(roomOf(to)) < order.indexOf(roomOf(from)),
    );
    expect(upwards).toEqual([]);
  });

  it('have no circles of files, but for entities that name each other', async () => {
    const below = new Map<string, string[]>();
    for (const { from, to } of await imports()) {
      const isBetweenEntities = [from, to].every(file => roomOf(file) === 'entities');
      if (!isBetweenEntities) below.set(from, [...(below.get(from) ?? []), to]);
    }
    const done = new Set<string>();
    const circles: string[][] = [];
    const walk = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
      if (done.has(file) || path.includes(file)) return;
      for (const next of below.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of below.keys()) walk(file, []);
    expect(circles).toEqual([]);
  });
});
