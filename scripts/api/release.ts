import { currentApi, release } from './api.ts';

/** Run when a version is released: from then on, its API is what must not break. */
await release(await currentApi());
