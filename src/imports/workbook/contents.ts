import { posix } from 'node:path';
import { workbookFaults } from '../messages.ts';
import { WorkbookFault } from './limits.ts';
import { shownByCode, shownByNumber, type Shown } from './number-formats.ts';
import type { Parts } from './parts.ts';
import { allOf, local, readXml, textChildren, type Attributes } from './xml.ts';

/** What a workbook says outside its sheets. */
export interface Workbook {
  /** The part with the first visible sheet. */
  sheet: string;
  /** The texts that cells share. */
  texts: readonly string[];
  /** What a number is in a cell of each style. */
  shown: readonly Shown[];
  /** Whether days are counted from 1904-01-01, as old Macs did. */
  isFrom1904: boolean;
}

/** A link from a part of a workbook to another. */
interface Link {
  id: string;
  /** The last word of its type, whose beginning depends on the edition of the standard. */
  kind: string;
  path: string;
}

/** @throws WorkbookFault when a part is missing or damaged, or if no sheet is visible */
export async function readWorkbook(parts: Parts): Promise<Workbook> {
  const found = (await linksOf(parts, '')).find(({ kind }) => kind === 'officeDocument');
  if (!found) throw new WorkbookFault(workbookFaults.partMissing);
  const links = await linksOf(parts, found.path);
  const { sheets, isFrom1904 } = await sheetsOf(parts, found.path);
  const sheet = sheets
    .flatMap(id => links.filter(link => link.id === id))
    .find(({ kind }) => kind === 'worksheet');
  if (!sheet) throw new WorkbookFault(workbookFaults.noSheet);
  const pathOf = (sought: string) => links.find(({ kind }) => kind === sought)?.path;
  const [styles, texts] = [pathOf('styles'), pathOf('sharedStrings')];
  return {
    sheet: sheet.path,
    texts: texts === undefined ? [] : await textsOf(parts, texts),
    shown: styles === undefined ? [] : await shownOf(parts, styles),
    isFrom1904,
  };
}

/** The links of a part, or of the whole file if the part is empty. */
function linksOf(parts: Parts, part: string): Promise<Link[]> {
  const { dir, base } = posix.parse(part);
  const open = (found: (link: Link) => void) => (given: Attributes) =>
    found({
      id: given['Id'] ?? '',
      kind: (given['Type'] ?? '').replace(/^.*\//, ''),
      // From the top of the file, or from the folder of the part.
      path: posix.resolve('/', dir, given['Target'] ?? '').slice(1),
    });
  return allOf(
    readXml<Link>(parts(posix.join(dir, '_rels', `${base}.rels`)), found => ({
      children: { Relationship: { open: open(found) } },
    })),
  );
}

/** As XML writes `true`. */
const TRUE = /^\s*(?:1|true)\s*$/;

/** The ids of the links to the visible sheets. */
async function sheetsOf(parts: Parts, path: string): Promise<{ sheets: string[]; isFrom1904: boolean }> {
  let isFrom1904 = false;
  const sheets = await allOf(
    readXml<string>(parts(path), found => ({
      children: {
        workbookPr: { open: given => (isFrom1904 = TRUE.test(given['date1904'] ?? '')) },
        sheets: {
          children: {
            sheet: {
              open: given => {
                const id = Object.keys(given).find(name => local(name) === 'id');
                if (id && (given['state'] ?? 'visible') === 'visible') found(given[id]!);
              },
            },
          },
        },
      },
    })),
  );
  return { sheets, isFrom1904 };
}

function textsOf(parts: Parts, path: string): Promise<string[]> {
  let text: string;
  return allOf(
    readXml<string>(parts(path), found => ({
      children: {
        si: {
          open: () => (text = ''),
          children: textChildren(piece => (text += piece)),
          close: () => found(text),
        },
      },
    })),
  );
}

/** What a number is in each style. The formats with a code come before the styles. */
function shownOf(parts: Parts, path: string): Promise<Shown[]> {
  const formats = new Map<number, Shown>();
  const numberOf = (given: Attributes): number => Number(given['numFmtId'] ?? 0);
  return allOf(
    readXml<Shown>(parts(path), found => ({
      children: {
        numFmts: {
          children: {
            numFmt: { open: given => formats.set(numberOf(given), shownByCode(given['formatCode'] ?? '')) },
          },
        },
        cellXfs: {
          children: {
            xf: { open: given => found(formats.get(numberOf(given)) ?? shownByNumber(numberOf(given))) },
          },
        },
      },
    })),
  );
}
