import { unreadable } from '../messages.ts';
import { DEEPEST, LimitExceeded, LONGEST_TEXT } from './limits.ts';

/** Attributes by name, which may have a prefix. */
export type Attributes = Readonly<Record<string, string>>;

/** What is read of an element. Children that are not named are skipped, with everything in them. */
export interface Element {
  open?: (attributes: Attributes) => void;
  /** Gets the text of the element itself, perhaps in pieces. */
  text?: (piece: string) => void;
  close?: () => void;
  /** Children by name without prefix: programs choose the prefix of a namespace, or none. */
  children?: Readonly<Record<string, Element>>;
}

export const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads an XML document. `root` says what to read, and calls `found` with what the reader gets, in batches.
 * @throws Error when the document is not well-formed
 */
export async function* readXml<T>(
  chunks: AsyncIterable<string>,
  root: (found: (one: T) => void) => Element,
): AsyncGenerator<T[]> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ position: false, xmlns: false } as const);
  let batch: T[] = [];
  const document = root(one => batch.push(one));
  const open: (Element | undefined)[] = [];
  let pending = 0;
  const addText = (piece: string): void => open.at(-1)?.text?.(piece);
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    if (open.length === DEEPEST) throw new LimitExceeded(unreadable.unpacked);
    const element = open.length === 0 ? document : childOf(open.at(-1), local(name));
    open.push(element);
    element?.open?.(attributes);
  });
  parser.on('closetag', () => {
    pending = 0;
    open.pop()?.close?.();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  for await (const chunk of chunks) {
    // The parser keeps what does not end: a text, a comment, attributes.
    pending += chunk.length;
    if (pending > LONGEST_TEXT) throw new LimitExceeded(unreadable.unpacked);
    parser.write(chunk);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  parser.close();
}

const childOf = (parent: Element | undefined, name: string): Element | undefined =>
  parent?.children && Object.hasOwn(parent.children, name) ? parent.children[name] : undefined;

/** All that `readXml` finds. */
export async function allOf<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) for (const one of batch) all.push(one);
  return all;
}

/** The children that are the text of an element: its own, or that of its runs, but not how it is pronounced (`rPh`). */
export function textChildren(add: (piece: string) => void): Record<string, Element> {
  const t: Element = { text: add };
  return { t, r: { children: { t } } };
}
