/** Shortest time between two reports, in milliseconds. */
const REPORT_MS = 100;

/** Shows the progress of a command on a terminal. Elsewhere it would only fill a log. */
export function showProgress(): { step: (name: string, count: number) => void; end: () => void } {
  let next = 0;
  const write = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(text);
  };
  return {
    step(name, count) {
      const now = performance.now();
      if (now < next) return;
      next = now + REPORT_MS;
      write(`\r${name}: ${count}`.padEnd(40));
    },
    end: () => write(`\r${' '.repeat(40)}\r`),
  };
}
