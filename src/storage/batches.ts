import type { Storage, StoredContent } from './storage.ts';

/** The number of contents that are looked up in the database together. */
const BATCH = 500;

/** All stored contents, unordered, in batches. The last one may be empty. */
export async function* batches(storage: Storage): AsyncGenerator<StoredContent[]> {
  let batch: StoredContent[] = [];
  for await (const content of storage.list()) {
    batch.push(content);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
