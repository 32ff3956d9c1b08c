const DATA_URI = 'data:';
const DATA_URI_MARK = /^data:[^,]*;base64,/i;
/** Longest that the media type of a `data:` URI and its parameters may be. */
const LONGEST_MARK = 1000;

/**
 * Base64 as old clients send it: RFC 4648's, padded and with no bit too many, which may be broken into lines and may
 * be a `data:` URI. Text comes in any pieces.
 */
export class Base64Decoder {
  /** Whether everything so far is base64. */
  valid = true;
  /** The first of the text, until it shows whether it is a `data:` URI. */
  #start: string | undefined = '';
  #carry = '';
  #ended = false;

  /** The bytes that are complete. Empty once the text is not valid. */
  decode(text: Buffer): Buffer {
    const given = text.toString('latin1').replace(/[ \t\r\n]+/g, '');
    return this.#start === undefined ? this.#complete(given) : this.#begin(this.#start + given);
  }

  /** The bytes that were held back, when there is no more text. From now on `valid` is about the whole. */
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
    // Node.js decodes whatever it is given; only what comes back as it was is base64.
    this.valid = bytes.toString('base64') === given;
    this.#ended = given.endsWith('=');
    return this.valid ? bytes : Buffer.alloc(0);
  }
}

/** The bytes of a base64 text; undefined when it is none. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
