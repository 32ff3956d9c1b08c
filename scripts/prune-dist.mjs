import { existsSync, readdirSync, rmSync } from 'node:fs';

// tsc does not remove the output of deleted files, and the service would load every entity and resolver that it finds.
for (const file of readdirSync('dist/modules', { recursive: true })) {
  const source = /^(.*)\.js(\.map)?$/.exec(file)?.[1];
  if (source && !existsSync(`${source}.ts`)) rmSync(`dist/modules/${file}`);
}
