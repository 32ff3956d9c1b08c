import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';

/** Starts a built service, calls `work` with its address, and stops it. */
export async function serving<T>(
  main: string,
  settings: NodeJS.ProcessEnv,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const service = spawn('node', [main], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', ...settings },
    // There is no .env there.
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'close');
  try {
    const failed = ended.then(() => Promise.reject(new Error('the service ended before it was ready')));
    const ready = once(createInterface(service.stdout), 'line') as Promise<[string]>;
    const [line] = await Promise.race([ready, failed]);
    return await work(/http:\S+/.exec(line)![0]);
  } finally {
    service.kill();
    await ended;
  }
}
