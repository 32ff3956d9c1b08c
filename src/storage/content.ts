/** The SHA-256 of some bytes in hexadecimal, and their number. */
export interface Content {
  sha256: string;
  size: number;
}
