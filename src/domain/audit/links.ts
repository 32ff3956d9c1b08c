import { createHash } from 'node:crypto';

/** The state of a chain after an entry: the number of entries so far, and the link of the last one in hexadecimal. */
export interface Head {
  chain: string;
  count: number;
  link: string;
}

export const LINK_BYTES = 32;

const digest = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The value before the first link of a chain. */
export const startOf = (chain: string): Buffer => digest(chain);

/** The link of an entry: the SHA-256 of the previous link and the entry. */
export const linkOf = (before: Buffer, entry: string): Buffer => digest(before, entry);

export const headText = ({ chain, count, link }: Head): string => `${chain}:${count}:${link}`;

const HEADS = /(?<![\w-])([a-z]+|\d{4}-\d{2})(-recusas)?:(\d{1,15}):([0-9a-f]{64})(?![0-9a-f])/g;

/** All heads that occur in a text, such as a log. */
export const headsIn = (text: string): Head[] =>
  [...text.matchAll(HEADS)].map(([, part, kind = '', count, link]) => ({
    chain: part! + kind,
    count: Number(count),
    link: link!,
  }));
