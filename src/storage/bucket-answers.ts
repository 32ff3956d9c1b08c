import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';

/** Maximum bytes of an answer that is not a content: a page of a list, or an error. */
const ANSWER_BYTES = 4_194_304;

/**
 * Destroys a body when nothing has come for this time, or up to twice as long, although there was room for it: a slow
 * reader leaves no room.
 */
export function endIfSilent(bytes: IncomingMessage, ms: number): void {
  const { socket } = bytes;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === seen && bytes.readableLength === 0 && !bytes.complete)
      bytes.destroy(new Error(`the bucket is silent for ${ms} ms`));
    seen = socket.bytesRead;
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
