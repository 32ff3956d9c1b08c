/**
 * Whether tests can run that need a program which npm does not install. Where they cannot, it says why they are
 * skipped; where the program must be there, as it must in CI, they fail.
 * @throws Error when REQUIRE_ALL_TESTS is set and the program is missing
 */
export function needs(program: string, isThere: boolean): boolean {
  if (isThere) return true;
  if (process.env['REQUIRE_ALL_TESTS']) throw new Error(`${program} is not installed, and tests need it`);
  console.warn(`Skipped, because ${program} is not installed: ${new Error().stack?.split('\n')[2]?.trim()}`);
  return false;
}
