import { readFile, writeFile } from 'node:fs/promises';
import { buildSchema, findBreakingChanges, lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../../src/graphql/schema.ts';
import { legacyView } from '../../src/rest/legacy-schema.ts';
import { openApiDocument } from '../../src/rest/openapi.ts';
import { routes } from '../../src/rest/routes.ts';
import type { Document } from './document.ts';
import { openApiChanges } from './openapi-changes.ts';

/** The API as clients see it: the schema as text, and the OpenAPI document. */
export interface Api {
  graphql: string;
  rest: Document;
}

/** The API of the code as it stands. */
export async function currentApi(): Promise<Api> {
  const schema = await createSchema();
  const rest = openApiDocument(legacyView(schema, routes)) as Document;
  return { graphql: printSchema(lexicographicSortSchema(schema)), rest };
}

const file = (name: string): URL => new URL(`../../api/${name}`, import.meta.url);

/** The API that was released last, as clients know it. */
export const releasedApi = async (): Promise<Api> => ({
  graphql: await readFile(file('schema.graphql'), 'utf8'),
  rest: JSON.parse(await readFile(file('openapi.json'), 'utf8')) as Document,
});

/** Makes this API the released one. */
export async function release({ graphql, rest }: Api): Promise<void> {
  await writeFile(file('schema.graphql'), `${graphql}\n`);
  await writeFile(file('openapi.json'), `${JSON.stringify(rest, null, 1)}\n`);
}

/** Every change that breaks clients, as a sentence; in alphabetical order. */
export function breakingChanges(before: Api, after: Api): string[] {
  const graphql = findBreakingChanges(buildSchema(before.graphql), buildSchema(after.graphql));
  const all = [
    ...graphql.map(({ description }) => `GraphQL: ${description}`),
    ...openApiChanges(before.rest, after.rest).map(change => `REST: ${change}.`),
  ];
  return [...new Set(all)].toSorted();
}

/** The sentences that the changelog lists under `### Breaking` of the version to come. */
export function declaredChanges(changelog: string): string[] {
  const [, unreleased = ''] = /^## Unreleased$(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog) ?? [];
  const [, breaking = ''] = /^### Breaking$(.*?)(?=^### |(?![\s\S]))/ms.exec(unreleased) ?? [];
  return [...breaking.matchAll(/^- (.*)$/gm)].map(([, sentence]) => sentence!.replaceAll('`', ''));
}

/** What is wrong with the changelog; empty if it names exactly the changes that break clients. */
export function objections(changes: readonly string[], declared: readonly string[]): string[] {
  return [
    ...changes.filter(change => !declared.includes(change)).map(change => `not declared: ${change}`),
    ...declared.filter(change => !changes.includes(change)).map(change => `declared, but not so: ${change}`),
  ];
}
