const DATA_URI = 'data:';
const DATA_URI_MARK = /^data:[^,]*;base64,/i;
/** Maximum length of the media type and parameters of a `data:` URI. */
const LONGEST_MARK = 1000;

/**
 * Decodes base64 in the forms that old clients send: RFC 4648 with padding and canonical bits, optionally with line
 * breaks, optionally as a `data:` URI. The text may arrive in chunks of any size.
 */
export class Base64Decoder {
  /** Whether the text so far is valid base64. */
  valid = true;
  /** Start of the text, until it is clear whether it is a `data:` URI. */
  #start: string | undefined = '';
  #carry = '';
  #ended = false;

  /** The decoded bytes of a chunk. Empty once the text is invalid. */
  decode(text: Buffer): Buffer {
    const given = text.toString('latin1').replace(/[ \t\r\n]+/g, '');
    return this.#start === undefined ? this.#complete(given) : this.#begin(this.#start + given);
  }

  /** The remaining bytes at the end of the text. From now on `valid` applies to the whole text. */
  end(): Buffer {
    const bytes = this.#complete(this.#start ?? '');
    if (this.#carry !== '') this.valid = false;
    return bytes;
  }

  #begin(start: string): Buffer {
    const isUri = start.slice(0, DATA_URI.length).toLowerCase() === DATA_URI;
    const isOpen = start.length < DATA_URI.length || (isUri && !start.includes(','));
    this.#start = isOpen && start.length < LONGEST_MARK ? start : undefined;
    return this.#start === undefined ? this.#complete(start.replace(DATA_URI_MARK, '')) : Buffer.alloc(0);
  }

  #complete(text: string): Buffer {
    const all = this.#carry + text;
    const whole = all.length - (all.length % 4);
    this.#carry = all.slice(whole);
    if (this.#ended && all.length > 0) this.valid = false;
    if (!this.valid || whole === 0) return Buffer.alloc(0);
    const given = all.slice(0, whole);
    const bytes = Buffer.from(given, 'base64');
    // Node.js decodes any text, so a text is valid only if the bytes encode to the same text.
    this.valid = bytes.toString('base64') === given;
    this.#ended = given.endsWith('=');
    return this.valid ? bytes : Buffer.alloc(0);
  }
}

/** The bytes of a base64 text; undefined if it is invalid. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
