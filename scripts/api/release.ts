import { currentApi, release } from './api.ts';

/** Run this when a version is released. From then on its API must not break. */
await release(await currentApi());
