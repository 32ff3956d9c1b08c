import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';

/** Maximum bytes of an answer that is not a content: a page of a list, or an error. */
const ANSWER_BYTES = 4_194_304;

/**
 * Destroys a body when nothing has come for this time, or up to twice as long, although there was room for it all the time: a
 * slow reader leaves no room.
 */
export function endIfSilent(bytes: IncomingMessage, ms: number): void {
  const { socket } = bytes;
  /** Bytes that had come when there last was room; undefined if there was none. */
  let before: number | undefined;
  const timer = setInterval(() => {
    const hasRoom = bytes.readableLength === 0 && !bytes.complete;
    if (hasRoom && socket.bytesRead === before) bytes.destroy(new Error(`the bucket is silent for ${ms} ms`));
    before = hasRoom ? socket.bytesRead : undefined;
  }, ms);
  bytes.once('close', () => clearInterval(timer));
}

/** The library buffers every answer that is not streamed, without a limit. */
export function boundAnswer(response: unknown): void {
  const answer = response as { body: unknown };
  if (!(answer.body instanceof Readable)) return;
  let left = ANSWER_BYTES;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error('the bucket sends an answer that is too large'));
      else done(null, chunk);
    },
  });
  // The reader of the answer gets the error.
  pipeline(answer.body, bound, () => undefined);
  answer.body = bound;
}
