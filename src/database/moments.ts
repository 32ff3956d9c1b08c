/**
 * SQL of the latest moment that counts as passed. A later one that was stored as the present is of a time when the clock of the
 * database was ahead. The clocks of the servers that may take its place differ by less.
 */
export const LATEST_NOW = `now() + interval '1 minute'`;
