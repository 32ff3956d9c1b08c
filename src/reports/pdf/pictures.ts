import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { jsPDF } from 'jspdf';

/** Pixels across a picture: 600 dpi on 16 mm. */
const PIXELS = 384;
/** Most pictures that the thread keeps. */
const MOST = 50;

/**
 * WebAssembly, because people store these pictures: what a picture contains reaches neither files nor the network.
 */
let started: Promise<void> | undefined;
const start = (): Promise<void> =>
  (started ??= initWasm(
    readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')),
  ));

const drawn = new Map<string, Uint8Array | null>();

/** A `data:` URI of an SVG, PNG or JPEG as a PNG or JPEG; null for one that cannot be drawn. */
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
  const [, type = '', base64, body = ''] = /^data:image\/([\w+]+)[^,]*?(;base64)?,(.*)$/is.exec(uri) ?? [];
  try {
    const bytes = base64 ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body));
    if (type.toLowerCase() !== 'svg+xml') return bytes;
    const options = { fitTo: { mode: 'width', value: PIXELS }, background: 'white' } as const;
    return new Resvg(bytes.toString(), options).render().asPng();
  } catch {
    return null;
  }
}

/** Whether a picture is on the page now: jsPDF refuses files that it cannot read. */
export function addPicture(doc: jsPDF, bytes: Uint8Array, alias: string, box: Box): boolean {
  try {
    doc.addImage({ imageData: bytes, alias, compression: 'FAST', ...box });
    return true;
  } catch {
    return false;
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
