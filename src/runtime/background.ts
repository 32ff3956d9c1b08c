/** For a failure that changes nothing for anybody. */
export const ignored = (): void => undefined;

/** Lets work run that nobody waits for. Its failure is told to `failed`; without that it would end the process. */
export function inBackground(work: Promise<unknown>, failed: (error: unknown) => void): void {
  work.catch(failed);
}
