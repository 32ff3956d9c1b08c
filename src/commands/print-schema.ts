import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../graphql/schema.ts';

/** Writes `schema.graphql`. It is committed, so that reviews show changes of the schema. */
await writeFile('schema.graphql', `${printSchema(lexicographicSortSchema(await createSchema()))}\n`);
