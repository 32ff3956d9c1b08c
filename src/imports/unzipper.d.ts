declare module 'unzipper' {
  import type { Transform } from 'node:stream';

  /** A file in an archive: its bytes, unpacked. */
  export interface Entry extends AsyncIterable<Buffer> {
    path: string;
  }

  /** Unpacks an archive that is piped into it. It must be read to the end, file by file. */
  export function Parse(options: { forceStream: true }): Transform & AsyncIterable<Entry>;
}
