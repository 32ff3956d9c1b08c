import { options } from '../../src/commands/options.ts';
import { currentApi, release } from './api.ts';

/** Run this when a version is released. From then on its API must not break. */
options({}, 'This command takes no options.');
await release(await currentApi());
