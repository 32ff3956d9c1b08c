/**
 * Whether tests can run that need something that npm does not install: a program, or the Git history. If it is missing,
 * a message says why they are skipped. In CI nothing may be missing, so they fail.
 * @throws Error when REQUIRE_ALL_TESTS is set and it is missing
 */
export function needs(what: string, isThere: boolean): boolean {
  if (isThere) return true;
  if (process.env['REQUIRE_ALL_TESTS']) throw new Error(`${what} is missing, and tests need it`);
  console.warn(`Skipped, because this is missing: ${what}: ${new Error().stack?.split('\n')[2]?.trim()}`);
  return false;
}
