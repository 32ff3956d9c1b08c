import type { Socket } from 'node:net';

/** Most bytes of one message, which is an entry at most, and most bytes and messages of an answer, which is a page. */
const MESSAGE_BYTES = 1_048_576;
const ANSWER_BYTES = 16_777_216;
const ANSWER_MESSAGES = 10_000;

/** Tag of an LDAP message, and the length of the longest header of one that is within the bounds. */
const SEQUENCE = 0x30;
const HEADER_BYTES = 6;

/**
 * Makes a socket give its listeners whole LDAP messages, one at a time, and destroys it when the server sends more than
 * any answer takes. The library itself gathers whatever comes, and copies all of it with every piece.
 */
export function bounded<S extends Socket>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  const messages = new Messages();
  let asked = socket.bytesWritten;
  const take = (bytes: Buffer): void => {
    if (socket.bytesWritten !== asked) messages.beginAnswer();
    asked = socket.bytesWritten;
    try {
      for (const message of messages.take(bytes)) if (!socket.destroyed) emit('data', message);
    } catch (error) {
      socket.destroy(error as Error);
    }
    // A fast server must not keep the event loop from everything else.
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

/** Finds the messages in what a server sends. @throws Error when it sends too much, or no LDAP */
class Messages {
  #pieces: Buffer[] = [];
  #gathered = 0;
  /** Length of the message that is gathered, once its header is there. */
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
      throw new Error('the LDAP server sends more than an answer may have');
    let rest = bytes;
    while (rest.length > 0) {
      this.#length ??= this.#lengthOf(rest);
      const wanted = (this.#length ?? Infinity) - this.#gathered;
      const piece = rest.subarray(0, wanted);
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

  /** Length of the message that begins with what is gathered and these bytes; undefined while they do not tell. */
  #lengthOf(bytes: Buffer): number | undefined {
    const head = Buffer.concat([...this.#pieces, bytes.subarray(0, HEADER_BYTES)]);
    if (head[0] !== SEQUENCE) throw new Error('the LDAP server sends what is no LDAP');
    const short = head[1];
    if (short === undefined) return undefined;
    if (short < 0x80) return 2 + short;
    const count = short - 0x80;
    if (count === 0 || count > HEADER_BYTES - 2) throw new Error('the LDAP server sends what is no LDAP');
    if (head.length < 2 + count) return undefined;
    const length = 2 + count + head.readUIntBE(2, count);
    if (length > MESSAGE_BYTES) throw new Error('the LDAP server sends a message that is too large');
    return length;
  }
}
