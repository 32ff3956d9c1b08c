import { readFileSync } from 'node:fs';
import { OperatorError } from '../../errors.ts';
import { hasDeepColours } from './png.ts';

/**
 * Reads the institution's logo, and draws it once: a picture that cannot be drawn would make every document fail.
 * @throws OperatorError that names the setting
 */
export async function readLogo(path: string): Promise<Uint8Array> {
  const logo = readFileSync(path);
  if (hasDeepColours(logo))
    throw new OperatorError(
      'INSTITUTION_LOGO is a PNG with 16 bits for each colour, which documents would show wrongly. Save it with 8 bits.',
    );
  // Only an institution with a logo needs the library here: documents are written in a thread.
  const { jsPDF } = await import('jspdf');
  try {
    new jsPDF().addImage(logo, 0, 0, 1, 1, undefined, 'FAST');
  } catch (error) {
    throw new OperatorError(
      `INSTITUTION_LOGO cannot be drawn: ${(error as Error).message}. Save the picture anew as a PNG with 8 bits for each colour, or as a JPEG.`,
      { cause: error },
    );
  }
  return logo;
}
