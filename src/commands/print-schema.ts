import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../graphql/schema.ts';
import { options } from './options.ts';

/** Writes `schema.graphql`. It is committed, so that reviews show changes of the schema. */
options({}, 'This command takes no options.');
await writeFile('schema.graphql', `${printSchema(lexicographicSortSchema(await createSchema()))}\n`);
