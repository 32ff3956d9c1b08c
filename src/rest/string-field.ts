const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COLON, COMMA] = [0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Maximum length of a key in JSON, with every letter written as `\u0000`. */
const longest = (key: string): number => key.length * 6;

/**
 * Extracts the text of one field from the bytes of a JSON object as they arrive, so that it is never in memory as a
 * whole. The remaining bytes, with an empty text in its place, are valid JSON exactly if the whole object was. Chunks
 * may end anywhere. The text should be ASCII: an escaped half of a surrogate pair becomes U+FFFD.
 */
export class StringField {
  /** How often the field occurred with a string value. */
  seen = 0;
  readonly #left: Buffer[] = [];
  #leftBytes = 0;
  #depth = 0;
  #inObject = false;
  /** Whether a text at this position is a key of the top-level object. */
  #atKey = false;
  #state: 'structure' | 'string' | 'key' | 'field' = 'structure';
  #key: number[] = [];
  #isField = false;
  /** The part of an escape that was read so far: nothing, `\`, `\u`, `\u0` … */
  #escape = '';

  constructor(private readonly name: string) {}

  /** Number of bytes outside the field. */
  get leftBytes(): number {
    return this.#leftBytes;
  }

  get left(): Buffer {
    return Buffer.concat(this.#left);
  }

  /** The field's text in this chunk, with escapes resolved. */
  *take(chunk: Buffer): Generator<Buffer> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'field') {
        const end = this.#escape ? at : endOfPlain(chunk, at);
        if (end > at) yield chunk.subarray(at, end);
        at = end;
        if (at < chunk.length) yield* this.#special(chunk[at++]!);
      } else {
        const start = at;
        while (at < chunk.length && (this.#state as string) !== 'field') this.#step(chunk[at++]!);
        this.#keep(chunk.subarray(start, at));
      }
    }
  }

  #keep(bytes: Buffer): void {
    this.#left.push(Buffer.from(bytes));
    this.#leftBytes += bytes.length;
  }

  /** Handles a special byte of the text: its end, or a part of an escape. */
  *#special(byte: number): Generator<Buffer> {
    if (this.#escape === '' && byte === QUOTE) {
      this.#keep(Buffer.of(byte));
      this.#state = 'structure';
      return;
    }
    this.#escape += String.fromCharCode(byte);
    const complete = this.#escape[1] === 'u' ? this.#escape.length === 6 : this.#escape.length === 2;
    if (!complete) return;
    yield unescaped(this.#escape);
    this.#escape = '';
  }

  #step(byte: number): void {
    if (this.#state === 'structure') this.#structure(byte);
    else if (this.#escape) this.#escape = '';
    else if (byte === BACKSLASH) this.#escape = '\\';
    else if (byte === QUOTE) return this.#endString();
    if (this.#state === 'key' && this.#key.length <= longest(this.name) + 1) this.#key.push(byte);
  }

  #structure(byte: number): void {
    const top = this.#depth === 1 && this.#inObject;
    if (byte === QUOTE) this.#startString(top);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#depth++ === 0) this.#inObject = this.#atKey = byte === OPEN_OBJECT;
      this.#isField = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    else if (top && (byte === COMMA || byte === COLON)) this.#atKey = byte === COMMA;
  }

  #startString(top: boolean): void {
    if (top && this.#atKey) {
      this.#state = 'key';
      this.#key = [];
    } else if (top && this.#isField) {
      this.#state = 'field';
      this.#isField = false;
      this.seen += 1;
    } else this.#state = 'string';
  }

  #endString(): void {
    if (this.#state === 'key') this.#isField = keyOf(this.#key) === this.name;
    this.#state = 'structure';
  }
}

/** End of the text without quotes and escapes. */
function endOfPlain(chunk: Buffer, from: number): number {
  const quote = chunk.indexOf(QUOTE, from);
  const end = quote < 0 ? chunk.length : quote;
  const escape = chunk.subarray(from, end).indexOf(BACKSLASH);
  return escape < 0 ? end : from + escape;
}

/** An invalid escape becomes NUL, which later checks reject. */
function unescaped(escape: string): Buffer {
  return Buffer.from(parsed(`"${escape}"`) ?? '\0');
}

/** The first byte is the quote before the key. */
const keyOf = (bytes: readonly number[]): string | undefined => parsed(`${Buffer.from(bytes).toString()}"`);

function parsed(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
