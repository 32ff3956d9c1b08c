import type { Reader } from '../../database/reader.ts';
import type { Services } from '../../request/services.ts';
import type { Content } from '../../storage/content.ts';
import type { Storage } from '../../storage/storage.ts';
import { claimContent } from '../uploads.ts';
import { archivedEntries, damageBy, receiveArchive, type ArchivedEntry } from './archive-file.ts';
import { chainsOf } from './parts.ts';
import type { StoredSeal } from './seals.ts';
import { storedLinks } from './stored.ts';
import { Findings, Walk } from './walk.ts';

/** The reason why a part must stay in the database. */
export class Refusal extends Error {}

export const damaged = (why: string): Refusal =>
  new Refusal(`it is not as it was sealed: ${why}. npm run audit:verify tells more.`);

export const lost = ({ sha256 }: Content, state: string): Refusal =>
  new Refusal(
    `the storage took its file (${sha256}), and now it is ${state}. Check the storage and try again.`,
  );

/** Writes the entries of a part into a file, stores it, and reads it back. @throws Refusal */
export async function copyPart(
  { listing, storage }: Services,
  seal: StoredSeal,
  onCount: (count: number) => void,
): Promise<Content> {
  const read = fromTable(listing.reader, seal.part);
  const entries = complete(read, seal, onCount);
  const incoming = await receiveArchive(storage, entries);
  const file = { sha256: incoming.sha256, size: incoming.size };
  try {
    // An earlier attempt may have left the same content, which is old enough for a sweep.
    await claimContent(listing.reader, file.sha256);
    await storage.put(incoming);
  } finally {
    await incoming.discard();
  }
  const again = complete(fromFile(storage, file), seal, () => undefined);
  while (!(await again.next()).done);
  return file;
}

async function* fromTable(reader: Reader, part: string): AsyncGenerator<ArchivedEntry> {
  const [chain] = chainsOf(part);
  for await (const { id, link, text } of storedLinks(reader, part, chain, true)) {
    if (text === undefined) throw damaged(`entry ${id} is not there`);
    yield { id, link, text };
  }
}

async function* fromFile(storage: Storage, file: Content): AsyncGenerator<ArchivedEntry> {
  try {
    yield* archivedEntries(storage, file);
  } catch (error) {
    throw lost(file, damageBy(error));
  }
}

/** Passes entries on, and checks them against their links and the seal. @throws Refusal if they differ */
async function* complete(
  entries: AsyncIterable<ArchivedEntry>,
  { part, entries: count, link }: StoredSeal,
  onCount: (count: number) => void,
): AsyncGenerator<ArchivedEntry> {
  const findings = new Findings();
  const walk = new Walk(part, new Map(), findings);
  for await (const entry of entries) {
    walk.take(entry.id, entry.link, entry.text);
    if (findings.sentences.length > 0) throw damaged(findings.sentences[0]!);
    yield entry;
    onCount(walk.count);
  }
  if (walk.count !== count || walk.link !== link)
    throw damaged(`it has ${walk.count} entries, and was sealed with ${count}`);
}
