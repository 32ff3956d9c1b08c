/** An error for the operator about the embedded database: what failed, why, and what to do. */
export function failure(what: string, error: unknown, logged = ''): Error {
  const { code, stderr, message, syscall } = error as NodeJS.ErrnoException & { stderr?: string };
  let why = [stderr || message, logged.slice(-2_000)].join('\n').trim();
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) {
    why = 'its programs do not run on this system (on Alpine and other musl systems they never do)';
  }
  if (why.includes('shared libraries'))
    why += ' (npm rebuild completes an installation without install scripts)';
  return new Error(
    `The embedded PostgreSQL ${what}: ${why}\nRemove this cause, or set DATABASE_URL to use a PostgreSQL server of your own.`,
    { cause: error },
  );
}
