/**
 * Whether tests can run that need what npm does not install: a program, or the project's history. Where they cannot,
 * it says why they are skipped; where it must be there, as it must in CI, they fail.
 * @throws Error when REQUIRE_ALL_TESTS is set and it is missing
 */
export function needs(what: string, isThere: boolean): boolean {
  if (isThere) return true;
  if (process.env['REQUIRE_ALL_TESTS']) throw new Error(`${what} is missing, and tests need it`);
  console.warn(`Skipped, because this is missing: ${what}: ${new Error().stack?.split('\n')[2]?.trim()}`);
  return false;
}
