import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { OperatorError } from '../../src/errors.ts';

/** Finds files of the project by what they export, so that files may move. */
export class Source {
  readonly #files: ReadonlyMap<string, string>;

  constructor(readonly project: string) {
    const folder = join(project, 'src');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .toSorted();
    this.#files = new Map(
      names.map(name => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const),
    );
  }

  /** The folder with the files of an area that contain a text. */
  folderOf(area: string, pattern: RegExp): string {
    const found = this.#ofArea(area).find(([, text]) => pattern.test(text));
    if (!found) throw new OperatorError(`There is no area ${area} yet: add its first resource by hand`);
    return dirname(found[0]);
  }

  /** The match of the pattern's first group in the files of an area. */
  valueIn(area: string, pattern: RegExp): string {
    for (const [, text] of this.#ofArea(area)) {
      const value = pattern.exec(text)?.[1];
      if (value) return value;
    }
    throw new OperatorError(`There is no area ${area} yet: add its first resource by hand`);
  }

  /** The file that exports a name. */
  exporterOf(name: string): string {
    const declares = new RegExp(
      `^export (abstract )?(class|function|const|type|interface|enum) ${name}\\b`,
      'm',
    );
    for (const [file, text] of this.#files) if (declares.test(text)) return file;
    throw new Error(`Nothing below src exports ${name}`);
  }

  /** How `from` imports the file. */
  static specifier(from: string, file: string): string {
    const path = relative(dirname(from), file).split(sep).join('/');
    return path.startsWith('.') ? path : `./${path}`;
  }

  #ofArea(area: string): [string, string][] {
    return [...this.#files].filter(([file]) => file.split(sep).includes(area));
  }
}
