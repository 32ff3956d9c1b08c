/** An error of the embedded database for the operator: what failed, why, and what to do. */
export function failure(what: string, error: unknown, logged = ''): Error {
  const { code, stderr, message, syscall } = error as NodeJS.ErrnoException & { stderr?: string };
  let why = [stderr || message, logged.slice(-2_000)].join('\n').trim();
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) {
    why = 'its programs cannot run on this system (Alpine and other musl systems are not supported)';
  }
  if (why.includes('shared libraries'))
    why += ' (npm rebuild completes an installation without install scripts)';
  return new Error(
    `The embedded PostgreSQL ${what}: ${why}\nFix this, set DATA_DIR to another folder, or set DATABASE_URL to use your own PostgreSQL server.`,
    { cause: error },
  );
}
