/** Base64 as RFC 4648 wants it: padded, without white space, no bit too many. Text comes in any pieces. */
export class Base64Decoder {
  /** Whether everything so far is base64. */
  valid = true;
  #carry = '';
  #ended = false;

  /** The bytes that are complete. Empty once the text is not valid. */
  decode(text: Buffer): Buffer {
    const all = this.#carry + text.toString('latin1');
    const whole = all.length - (all.length % 4);
    this.#carry = all.slice(whole);
    if (this.#ended && all.length > 0) this.valid = false;
    if (!this.valid || whole === 0) return Buffer.alloc(0);
    const given = all.slice(0, whole);
    const bytes = Buffer.from(given, 'base64');
    // Node.js decodes whatever it is given; only what comes back as it was is base64.
    this.valid = bytes.toString('base64') === given;
    this.#ended = given.endsWith('=');
    return this.valid ? bytes : Buffer.alloc(0);
  }

  /** Whether the whole was base64. */
  end(): boolean {
    return this.valid && this.#carry === '';
  }
}

/** The bytes of a base64 text; undefined when it is none. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
