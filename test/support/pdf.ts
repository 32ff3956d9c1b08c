import { getDocumentProxy } from 'unpdf';

/** The text of each page, in which every run of white space is one space. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await getDocumentProxy(bytes.slice());
  const pages = Array.from({ length: pdf.numPages }, async (_, i) => {
    // As a reader copies it: unnormalized, so that a micro sign is none of the Greek letters.
    const { items } = await (await pdf.getPage(i + 1)).getTextContent({ disableNormalization: true });
    return items.map(item => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join('');
  });
  return (await Promise.all(pages)).map(page => page.replace(/\s+/g, ' '));
}
