import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { jsPDF } from 'jspdf';
import { hasDeepColours } from './png.ts';

/** Pixels across a picture: 600 dpi on 16 mm. */
const PIXELS = 384;
/** Most pictures in the cache of the thread. */
const MOST = 50;

/** WebAssembly, because users upload these pictures: code inside a picture can reach neither files nor the network. */
let started: Promise<void> | undefined;
const start = (): Promise<void> =>
  (started ??= initWasm(
    readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')),
  ));

const drawn = new Map<string, Uint8Array | null>();

/** Converts a `data:` URI of an SVG, PNG or JPEG to a PNG or JPEG; null if it cannot be drawn. */
export async function picture(uri: string): Promise<Uint8Array | null> {
  await start();
  let found = drawn.get(uri);
  if (found === undefined) {
    found = draw(uri);
    if (drawn.size >= MOST) drawn.clear();
    drawn.set(uri, found);
  }
  return found;
}

function draw(uri: string): Uint8Array | null {
  const comma = uri.indexOf(',');
  const head = uri.slice(0, comma).toLowerCase();
  const body = uri.slice(comma + 1);
  try {
    const bytes = head.endsWith(';base64')
      ? Buffer.from(body, 'base64')
      : Buffer.from(decodeURIComponent(body));
    if (!head.startsWith('data:image/svg+xml')) return hasDeepColours(bytes) ? null : bytes;
    const options = { fitTo: { mode: 'width', value: PIXELS }, background: 'white' } as const;
    return new Resvg(bytes.toString(), options).render().asPng();
  } catch {
    return null;
  }
}

/** Whether jsPDF can read the file. */
export function isReadable(doc: jsPDF, bytes: Uint8Array): boolean {
  try {
    doc.getImageProperties(bytes);
    return true;
  } catch {
    return false;
  }
}
