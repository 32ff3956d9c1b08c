import type { Route } from '../route.ts';

/** Operations that the specification does not have. `npm run new:resource` adds those of a resource. */
export const beyond: readonly Route[] = [];
