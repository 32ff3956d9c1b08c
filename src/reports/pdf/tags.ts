import type { jsPDF } from 'jspdf';
import type { SmallObject } from './object-streams.ts';
import type { ObjectWriter } from './typeface.ts';

/** The type of a part of a document, by its name in PDF. */
export type Role = 'Document' | 'H1' | 'H2' | 'H3' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure';

/** A part of a document, with its children and its marks on pages in reading order. */
export interface Part {
  readonly role: Role;
  readonly parent: Part | undefined;
  readonly parts: Part[];
  readonly places: { page: number; mark: number }[];
  /** Text alternative of a picture. */
  readonly alt?: string;
  /** The number of its PDF object. */
  id: number;
}

/** The internals of jsPDF that its plugins use. */
interface Internal extends ObjectWriter {
  events: {
    subscribe: (topic: string, handle: (event: { objId: number; pageNumber: number }) => void) => void;
  };
  newObjectDeferred: () => number;
  getCurrentPageInfo: () => { pageNumber: number };
  pdfEscape: (text: string) => string;
  write: (...operators: string[]) => void;
}

/**
 * The tags of a document, which tell a screen reader what is a heading, a paragraph or a table, and what to skip. jsPDF
 * does not support tags, so this adds them like a plugin.
 */
export class Tags {
  readonly #internal: Internal;
  readonly #root: Part = { role: 'Document', parent: undefined, parts: [], places: [], id: 0 };
  /** The part of each mark, for each page. */
  readonly #marks: Part[][] = [];
  readonly #pageIds: number[] = [];
  #treeId = 0;
  #current: Part | undefined;

  constructor(doc: jsPDF) {
    this.#internal = doc.internal as unknown as Internal;
    const { events, out } = this.#internal;
    events.subscribe('putPage', ({ objId, pageNumber }) => {
      this.#pageIds[pageNumber] = objId;
      out(`/StructParents ${pageNumber} /Tabs /S`);
    });
    events.subscribe('postPutResources', () => this.#reserve());
    events.subscribe('putCatalog', () =>
      out(`/Version /1.7 /MarkInfo <</Marked true>> /StructTreeRoot ${this.#treeId} 0 R`),
    );
  }

  /** Adds a part at the end of another part, or of the document. */
  part(role: Role, parent = this.#root, alt?: string): Part {
    const part: Part = { role, parent, parts: [], places: [], id: 0, ...(alt && { alt }) };
    parent.parts.push(part);
    return part;
  }

  /**
   * Everything drawn by `draw` belongs to this part. Without a part it is decoration, or repeats what is said
   * elsewhere.
   */
  in(part: Part | undefined, draw: () => void): void {
    const before = this.#current;
    this.#current = part;
    draw();
    this.#current = before;
  }

  /** Draws something as a part of the document. */
  as(role: Role, draw: () => void): void {
    this.in(this.part(role), draw);
  }

  /** Writes operators, marked with the current part. */
  write(operators: string): void {
    this.around(() => this.#internal.write(operators));
  }

  /** Marks all operators written by `draw`. */
  around(draw: () => void): void {
    const part = this.#current;
    if (part === undefined) this.#internal.write('/Artifact BMC');
    else {
      const { pageNumber: page } = this.#internal.getCurrentPageInfo();
      const mark = (this.#marks[page] ??= []).push(part) - 1;
      part.places.push({ page, mark });
      this.#internal.write(`/${part.role} <</MCID ${mark}>> BDC`);
    }
    draw();
    this.#internal.write('EMC');
  }

  /** Reserves the object numbers, because objects refer to each other by number. */
  #reserve(): void {
    const { newObjectDeferred } = this.#internal;
    const reserve = (part: Part): void => {
      part.id = newObjectDeferred();
      part.parts.forEach(reserve);
    };
    this.#treeId = newObjectDeferred();
    reserve(this.#root);
  }

  /** The objects of the tags, after jsPDF has written the file. */
  get objects(): SmallObject[] {
    const pages = this.#marks.flatMap((parts, page) => `${page} [${references(parts)}]`);
    const tree = `/Type /StructTreeRoot /K ${this.#root.id} 0 R /ParentTree <</Nums [${pages.join(' ')}]>> /ParentTreeNextKey ${this.#pageIds.length}`;
    const objects: SmallObject[] = [[this.#treeId, `<<${tree}>>`]];
    const add = (part: Part): void => {
      objects.push([part.id, `<<${this.#entries(part)}>>`]);
      part.parts.forEach(add);
    };
    add(this.#root);
    return objects;
  }

  #entries({ role, parent, parts, places, alt }: Part): string {
    const page = places[0]?.page;
    const marks = places.map(place =>
      place.page === page
        ? place.mark
        : `<</Type /MCR /Pg ${this.#pageIds[place.page]} 0 R /MCID ${place.mark}>>`,
    );
    return [
      `/S /${role} /P ${parent?.id ?? this.#treeId} 0 R`,
      page !== undefined && `/Pg ${this.#pageIds[page]} 0 R`,
      `/K [${marks.join(' ')}${references(parts)}]`,
      alt !== undefined && `/Alt (${this.#internal.pdfEscape(alt)})`,
      role === 'TH' && '/A <</O /Table /Scope /Column>>',
    ]
      .filter(Boolean)
      .join(' ');
  }
}

const references = (parts: readonly Part[]): string => parts.map(({ id }) => `${id} 0 R`).join(' ');
