import { Session, type Debugger, type InspectorNotification } from 'node:inspector';
import { inTime } from '../../runtime/in-time.ts';

/** Longest wait for the main thread to pause. Native code, such as a large sort, cannot be paused. */
const PATIENCE_MS = 5_000;
const MOST_FRAMES = 30;

/**
 * The main thread's stack, innermost first: functions with file and line, without values. Call it from another thread.
 * It pauses the main thread for a moment.
 */
export async function mainStack(): Promise<string[]> {
  const session = new Session();
  session.connectToMainThread();
  try {
    const paused = new Promise<string[]>(resolve => {
      session.once('Debugger.paused', ({ params }: InspectorNotification<Debugger.PausedEventDataType>) => {
        resolve(params.callFrames.slice(0, MOST_FRAMES).map(frameText));
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
    return await inTime(paused, PATIENCE_MS, () => ['native code']);
  } finally {
    session.post('Debugger.disable');
    session.disconnect();
  }
}

const frameText = ({ functionName, url, location }: Debugger.CallFrame): string =>
  `${functionName || '(anonymous)'} ${url}:${location.lineNumber + 1}`;

/** Ends the process from another thread. Signals cannot do this for the first process of a container. */
export function exitMain(code: number): void {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${code})` });
}
