import { existsSync, readdirSync, rmSync } from 'node:fs';

// tsc leaves what it compiled of files that are gone, and the service loads every entity and resolver it finds.
for (const file of readdirSync('dist', { recursive: true })) {
  const source = /^(.*)\.js(\.map)?$/.exec(file)?.[1];
  if (source && !existsSync(`${source}.ts`)) rmSync(`dist/${file}`);
}
