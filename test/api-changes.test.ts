import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  breakingChanges,
  currentApi,
  declaredChanges,
  objections,
  releasedApi,
  type Api,
} from '../scripts/api/api.ts';
import type { Parameter } from '../scripts/api/document.ts';
import { project } from './support/process.ts';

let api: Api;
beforeAll(async () => {
  api = await currentApi();
});

const list = '/almoxarifadoquimicos/materiais';

/** The API after a change. */
function changed(change: (api: Api) => void): Api {
  const copy = structuredClone(api);
  change(copy);
  return copy;
}

const parameterOf = ({ rest }: Api, name: string): Parameter =>
  rest.paths[list]!['get']!.parameters.find(parameter => parameter.name === name)!;
const material = ({ rest }: Api) => rest.components.schemas['Material']!;
const bodyOf = ({ rest }: Api) => rest.paths[list]!['post']!.requestBody!.content['application/json']!.schema;

/**
 * Changes that break clients, with the sentence that the changelog must contain. The reverse changes are compatible.
 */
const takings: [name: string, change: (api: Api) => void, sentence: string][] = [
  [
    'a GraphQL field is removed',
    api =>
      (api.graphql = api.graphql.replace(
        /(type Unidade\w* \{[\s\S]*?)( {2}"""[^"]*"""\n)? {2}sigla: .*\n/,
        '$1',
      )),
    'GraphQL: UnidadeMedida.sigla was removed.',
  ],
  ['a path is removed', ({ rest }) => delete rest.paths[list], `REST: GET ${list} was removed.`],
  ['a verb is removed', ({ rest }) => delete rest.paths[list]!['post'], `REST: POST ${list} was removed.`],
  [
    'a parameter is removed',
    ({ rest }) => rest.paths[list]!['get']!.parameters.shift(),
    `REST: GET ${list}: the query parameter titulo was removed.`,
  ],
  [
    'a parameter becomes required',
    api => (parameterOf(api, 'cas').required = true),
    `REST: GET ${list}: the query parameter cas is now required.`,
  ],
  [
    'a parameter takes fewer values',
    api => parameterOf(api, 'orderByTitulo').schema.enum!.pop(),
    `REST: GET ${list}: the query parameter orderByTitulo may no longer be DESC.`,
  ],
  [
    'a field of a body is removed',
    api => delete bodyOf(api).properties!['numero_cas'],
    `REST: POST ${list}: the body.numero_cas was removed.`,
  ],
  [
    'a field of a body becomes required',
    api => bodyOf(api).required!.push('numero_cas'),
    `REST: POST ${list}: the body.numero_cas is now required.`,
  ],
  [
    'a field of a body may not be null any more',
    api => (bodyOf(api).properties!['numero_cas']!.type = 'string'),
    `REST: POST ${list}: the body.numero_cas may no longer be null.`,
  ],
  [
    'a field of an answer is removed',
    api => delete material(api).properties!['titulo'],
    'REST: Material.titulo was removed.',
  ],
  [
    'a field of an answer may be absent',
    api => (material(api).required = material(api).required!.filter(name => name !== 'titulo')),
    'REST: Material.titulo may now be absent.',
  ],
  [
    'a field of an answer may be null',
    api => (material(api).properties!['titulo']!.type = ['string', 'null']),
    'REST: Material.titulo may now be null.',
  ],
  [
    'a download is no longer offered',
    ({ rest }) => delete rest.paths[list]!['get']!.responses['200']!.content!['text/csv'],
    `REST: GET ${list}: the answer 200 is no longer text/csv.`,
  ],
];

describe.each(takings)('when %s', (_name, change, sentence) => {
  it('the check fails until the changelog says so', () => {
    const changes = breakingChanges(api, changed(change));
    expect(changes).toContain(sentence);
    const silent = declaredChanges('## Unreleased\n\n## 1.0.0\n');
    expect(objections(changes, silent)).toContain(`not declared: ${sentence}`);
    const lines = changes.map(one => `- ${one}\n`).join('');
    const honest = declaredChanges(`## Unreleased\n\n### Breaking\n\n${lines}\n## 1.0.0\n`);
    expect(objections(changes, honest)).toEqual([]);
  });

  it('the opposite change breaks no client', () => {
    expect(breakingChanges(changed(change), api)).toEqual([]);
  });
});

it('another type breaks clients in either direction', () => {
  const other = changed(api => (parameterOf(api, 'titulo').schema.type = 'integer'));
  const where = `REST: GET ${list}: the query parameter titulo`;
  expect(breakingChanges(api, other)).toEqual([`${where} changed from string to integer.`]);
  expect(breakingChanges(other, api)).toEqual([`${where} changed from integer to string.`]);
});

it('a break that is declared for an earlier version does not count', () => {
  expect(declaredChanges('## Unreleased\n\n### New\n\n- x\n\n## 1.0.0\n\n### Breaking\n\n- y\n')).toEqual([]);
});

it('a declared break that does not exist is refused', () => {
  expect(objections([], ['REST: GET /x was removed.'])).toEqual([
    'declared, but not so: REST: GET /x was removed.',
  ]);
});

it('the changelog names all that breaks clients of the last release', async () => {
  const changelog = await readFile(join(project, 'CHANGELOG.md'), 'utf8');
  expect(objections(breakingChanges(await releasedApi(), api), declaredChanges(changelog))).toEqual([]);
});

it('the version is the same wherever it stands, and the API is kept as it was released', async () => {
  const text = (name: string): Promise<string> => readFile(join(project, name), 'utf8');
  const { version } = JSON.parse(await text('package.json')) as { version: string };
  const [, latest] = /^## (\d\S*) /m.exec(await text('CHANGELOG.md'))!;
  expect([latest, api.rest.info.version, (await releasedApi()).rest.info.version]).toEqual([
    version,
    version,
    version,
  ]);
  for (const name of ['compose.yaml', 'docs/operations/containers.md']) {
    const tags = [...(await text(name)).matchAll(/institutional-information-\w+:(\d+\.\d+\.\d+)/g)];
    expect(new Set(tags.map(([, tag]) => tag))).toEqual(new Set([version]));
  }
});
