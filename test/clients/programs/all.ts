import { readFile } from 'node:fs/promises';
import * as apollo from './apollo.ts';
import * as graphqlRequest from './graphql-request.ts';
import * as heyApi from './hey-api.ts';
import { differences } from './inspector.ts';
import * as openapiFetch from './openapi-fetch.ts';
import type { Service } from './outcome.ts';
import * as urql from './urql.ts';

/** Runs all programs one after another and prints what they did, as JSON. */
const programs = { openapiFetch, heyApi, graphqlRequest, urql, apollo };
const service = JSON.parse(process.argv[2]!) as Service;
const schema = await readFile(process.argv[3]!, 'utf8');
const outcomes: Record<string, unknown> = {};
for (const [name, { run }] of Object.entries(programs)) outcomes[name] = await run(service);
process.stdout.write(
  JSON.stringify({
    outcomes,
    cache: await apollo.readCache(service),
    schema: await differences(schema, service.url),
    // The differences from a different schema.
    another: await differences(schema.replace(/^ {2}material\(/m, '  materia('), service.url),
  }),
);
