import { OperatorError } from '../errors.ts';

/** The oldest Node.js on which everything works. */
const OLDEST = '22.17';

/** @throws OperatorError under an older Node.js, which has not all functions that the service calls */
export function requireNode(): void {
  const { node } = process.versions;
  if (node.localeCompare(OLDEST, 'en', { numeric: true }) >= 0) return;
  throw new OperatorError(
    `Node ${OLDEST} or newer is needed; this is ${node}. Use npm, or node_modules/.bin/node, which npm ci installed.`,
  );
}
