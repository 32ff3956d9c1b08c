import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../graphql/schema.ts';

/** Writes `schema.graphql`, which is committed so that a change of the schema can be read in review. */
await writeFile('schema.graphql', `${printSchema(lexicographicSortSchema(await createSchema()))}\n`);
