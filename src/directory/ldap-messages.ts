import type { Socket } from 'node:net';

/** Limits of a server's answer: bytes of one message (one entry), bytes and messages of one answer (one page). */
const MESSAGE_BYTES = 1_048_576;
const ANSWER_BYTES = 16_777_216;
const ANSWER_MESSAGES = 10_000;

/** Tag of an LDAP message, and the longest header of a message within the limits. */
const SEQUENCE = 0x30;
const HEADER_BYTES = 6;

/**
 * Makes a socket deliver complete LDAP messages, one at a time, and destroys it when the server sends more than any
 * valid answer. The library itself has no limit, and copies everything it holds with each chunk.
 */
export function bounded<S extends Socket>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  const messages = new Messages();
  let writtenBefore = socket.bytesWritten;
  const take = (bytes: Buffer): void => {
    if (socket.bytesWritten !== writtenBefore) messages.beginAnswer();
    writtenBefore = socket.bytesWritten;
    try {
      for (const message of messages.take(bytes)) if (!socket.destroyed) emit('data', message);
    } catch (error) {
      socket.destroy(error as Error);
    }
    // A fast server must not block the event loop.
    socket.pause();
    setImmediate(() => socket.resume());
  };
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'data') return emit(event, ...args);
    take(args[0] as Buffer);
    return true;
  };
  return socket;
}

/** Splits the server's bytes into messages. @throws Error for too many bytes, or bytes that are not LDAP */
class Messages {
  #pieces: Buffer[] = [];
  #gathered = 0;
  /** Length of the current message, once its header is complete. */
  #length: number | undefined;
  #answerBytes = 0;
  #answerMessages = 0;

  beginAnswer(): void {
    this.#answerBytes = 0;
    this.#answerMessages = 0;
  }

  *take(bytes: Buffer): Generator<Buffer> {
    this.#answerBytes += bytes.length;
    if (this.#answerBytes > ANSWER_BYTES)
      throw new Error('the LDAP server sends an answer that is too large');
    let rest = bytes;
    while (rest.length > 0) {
      this.#length ??= this.#lengthOf(rest);
      const missing = (this.#length ?? Infinity) - this.#gathered;
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      this.#pieces.push(piece);
      this.#gathered += piece.length;
      if (this.#gathered === this.#length) yield this.#whole();
    }
  }

  #whole(): Buffer {
    this.#answerMessages += 1;
    if (this.#answerMessages > ANSWER_MESSAGES) throw new Error('the LDAP server sends messages without end');
    const [first, ...others] = this.#pieces;
    const message = others.length > 0 ? Buffer.concat(this.#pieces) : first!;
    this.#pieces = [];
    this.#gathered = 0;
    this.#length = undefined;
    return message;
  }

  /** Length of the message that starts with the collected bytes and these; undefined while its header is incomplete. */
  #lengthOf(bytes: Buffer): number | undefined {
    const head = Buffer.concat([...this.#pieces, bytes.subarray(0, HEADER_BYTES)]);
    if (head[0] !== SEQUENCE) throw new Error('the LDAP server sends data that is not LDAP');
    const short = head[1];
    if (short === undefined) return undefined;
    if (short < 0x80) return 2 + short;
    const count = short - 0x80;
    if (count === 0 || count > HEADER_BYTES - 2)
      throw new Error('the LDAP server sends data that is not LDAP');
    if (head.length < 2 + count) return undefined;
    const length = 2 + count + head.readUIntBE(2, count);
    if (length > MESSAGE_BYTES) throw new Error('the LDAP server sends a message that is too large');
    return length;
  }
}
