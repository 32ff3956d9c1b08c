/** Handler for a failure that has no consequences. */
export const ignored = (): void => undefined;

/** Runs work in the background. Its failure is passed to `failed`; otherwise it would end the process. */
export function inBackground(work: Promise<unknown>, failed: (error: unknown) => void): void {
  work.catch(failed);
}
