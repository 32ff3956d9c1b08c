/**
 * Generates three clients of a running service, as its clients do: `node test/clients/generate.ts <url> <folder>`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { parse } from 'graphql';

const compiler = new URL('compiler.cjs', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? compiler : name, context),
});
const { default: openapiTS, astToString } = await import('openapi-typescript');
const { createClient } = await import('@hey-api/openapi-ts');

const [url, folder] = process.argv.slice(2) as [string, string];
const published = async (path: string): Promise<string> => (await fetch(url + path)).text();
const document = await published('/openapi.json');

await writeFile(join(folder, 'openapi-typescript.ts'), astToString(await openapiTS(document)));

await createClient({
  input: JSON.parse(document) as never,
  output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'error' },
});

const location = join(folder, '../documents.graphql');
const rawSDL = await readFile(location, 'utf8');
const files = await preset.buildGeneratesSection({
  baseOutputDir: `${join(folder, 'graphql')}/`,
  presetConfig: { fragmentMasking: false },
  schema: parse(await published('/schema.graphql')),
  documents: [{ location, rawSDL, document: parse(rawSDL) }],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    strictScalars: true,
    scalars: { Cursor: 'string', Date: 'string', DateTime: 'string' },
  },
  plugins: [],
  pluginMap: {},
});
for (const file of files) {
  await mkdir(dirname(file.filename), { recursive: true });
  await writeFile(file.filename, await codegen(file));
}
