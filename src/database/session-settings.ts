/**
 * Settings of each connection, whatever the server, the database or the role sets. What the connection gives as a
 * parameter of its own, such as `statement_timeout`, replaces the value here.
 */
const ALWAYS = {
  // These change what statements mean and return.
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  gin_fuzzy_search_limit: 0,
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  quote_all_identifiers: 'off',
  // Without these, a migration or a lock of the service could be ended by a limit that was set for people.
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
  // What a machine that is gone holds is free after 25 s. Linux would wait two hours.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // Compiling a statement takes longer than executing it: 50 ms for each audited table that a write changes.
  jit: 'off',
  // The default is meant for rotating disks. With it, PostgreSQL reads whole tables to look up some hundred records.
  random_page_cost: 1.1,
  // Lists join up to 30 tables, each by its key and in the order of need. With the default of 8, PostgreSQL plans most of
  // them for so long that it shows.
  join_collapse_limit: 4,
} as const;

/** The settings as `options` of a connection, with some of its own. */
export const sessionSettings = (own: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...ALWAYS, ...own })
    .map(([name, value]) => `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`)
    .join(' ');
