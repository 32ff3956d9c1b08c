import { zip } from './zip.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Parts of a workbook as other programs write them. */
export interface WorkbookParts {
  /** The rows, as XML. */
  rows: string;
  /** The shared texts, as XML. */
  texts?: string;
  /** Codes of number formats. Style 1 has the first one. */
  formats?: readonly string[];
  /** The properties of the workbook, as XML. */
  properties?: string;
  /** The prefix of the elements of the sheet, with its colon. */
  prefix?: string;
  /** The namespaces of the strict edition of the standard. */
  strict?: boolean;
}

const inEdition = (xml: string, strict: boolean): string =>
  strict
    ? xml
        .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
        .replaceAll(DOCUMENT, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
    : xml;

const links = (...all: [kind: string, target: string][]): string =>
  `<Relationships xmlns="${PACKAGE}">${all
    .map(
      ([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** A workbook with one sheet. */
export function workbookOf({
  rows,
  texts = '',
  formats = [],
  properties = '',
  prefix = '',
  strict = false,
}: WorkbookParts): Buffer {
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('');
  const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`);
  const xmlns = prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns';
  const files = {
    '_rels/.rels': links(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}">${properties}
      <sheets><sheet name="Dados" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': links(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', '/xl/styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts}</sst>`,
    'xl/worksheets/sheet1.xml': `<${prefix}worksheet ${xmlns}="${MAIN}"><${prefix}sheetData>${rows}</${prefix}sheetData></${prefix}worksheet>`,
  };
  return zip(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, inEdition(xml, strict)])));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A row of texts in the first columns. */
export const textRow = (number: number, texts: readonly string[]): string =>
  `<row r="${number}">${texts
    .map((text, i) => `<c r="${'ABCDEF'[i]}${number}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`)
    .join('')}</row>`;
