import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the decisions', () => {
  it('are numbered in the order in which they stand, the table of libraries last', async () => {
    const titles = [...(await read('docs/decisions.md')).matchAll(/^## (?:(\d+)\. )?(.+)$/gm)];
    const numbers = titles.flatMap(([, number]) => (number === undefined ? [] : [Number(number)]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(titles.at(-1)![2]).toBe('Libraries');
  });

  it('give a reason for every library that the service runs on', async () => {
    const [, table = ''] = (await read('docs/decisions.md')).split('## Libraries');
    const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: object };
    const named = (name: string): boolean =>
      table.includes(`\`${name}\``) || table.includes(`\`${name.split('/')[0]}/*\``);
    expect(Object.keys(dependencies).filter(name => !named(name))).toEqual([]);
  });
});
