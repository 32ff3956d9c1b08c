import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../src/errors.ts';
import type { Storage, StoredContent } from '../src/storage/storage.ts';
import { damageOf, verified } from '../src/storage/verified.ts';
import { storages, type TestStorage } from './support/storages.ts';

const contentOf = (bytes: Buffer) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});

describe.each(storages)('a storage %s', (_, start) => {
  let place: TestStorage;
  let storage: Storage;

  beforeAll(async () => {
    place = await start();
    storage = await place.open();
  });
  afterAll(async () => {
    storage.close();
    await place.stop();
  });

  async function keep(bytes: Buffer) {
    const file = await storage.receive([bytes]);
    await storage.put(file);
    await file.discard();
    return { sha256: file.sha256, size: file.size };
  }

  async function listed(): Promise<StoredContent[]> {
    const found: StoredContent[] = [];
    for await (const batch of storage.inBatches()) found.push(...batch);
    return found;
  }

  async function read(content: { sha256: string; size: number }): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of verified(storage, content)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it('is empty before anything is stored', async () => {
    expect(await listed()).toEqual([]);
    const content = contentOf(randomBytes(10));
    expect(await storage.has(content.sha256)).toBe(false);
    expect(await storage.open(content.sha256)).toBeUndefined();
    await storage.remove(content.sha256);
  });

  it.each([0, 1, 65_536, 5_000_000])('gives %i bytes back as they were stored', async size => {
    const bytes = randomBytes(size);
    const content = await keep(bytes);
    expect(content).toEqual(contentOf(bytes));
    expect(await storage.has(content.sha256)).toBe(true);
    expect((await read(content)).equals(bytes)).toBe(true);
    expect(await readdir(place.incoming)).toEqual([]);
  });

  it('refuses a content that was discarded because its client left, without a word of the storage', async () => {
    const file = await storage.receive([randomBytes(10)]);
    await file.discard();
    await expect(storage.put(file)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await storage.has(file.sha256)).toBe(false);
  });

  it('stores equal contents once, and repairs a damaged one when it is stored again', async () => {
    const bytes = randomBytes(1000);
    const content = await keep(bytes);
    await keep(bytes);
    const same = (await listed()).filter(found => found.sha256 === content.sha256);
    expect(same).toMatchObject([{ size: 1000, storedAt: expect.any(Date) }]);
    await place.damage(content.sha256);
    expect(await damageOf(storage, content)).toBe('damaged');
    await keep(bytes);
    expect(await damageOf(storage, content)).toBeUndefined();
  });

  it('never delivers all bytes of a content with a wrong bit', async () => {
    const content = await keep(randomBytes(1_000_000));
    await place.damage(content.sha256);
    let given = 0;
    const reading = async () => {
      for await (const chunk of verified(storage, content)) given += chunk.length;
    };
    await expect(reading()).rejects.toMatchObject({ reason: 'damaged' });
    expect(given).toBeLessThan(content.size);
  });

  it('reports a content that is too short, and one that is gone', async () => {
    const [short, lost] = [await keep(randomBytes(100)), await keep(randomBytes(100))];
    await place.shorten(short.sha256);
    expect(await damageOf(storage, short)).toBe('damaged');
    await place.lose(lost.sha256);
    expect(await damageOf(storage, lost)).toBe('missing');
    expect(await storage.has(lost.sha256)).toBe(false);
  });

  it('removes', async () => {
    const content = await keep(randomBytes(100));
    await storage.remove(content.sha256);
    expect(await storage.has(content.sha256)).toBe(false);
    expect((await listed()).map(found => found.sha256)).not.toContain(content.sha256);
  });

  it('keeps nothing of an interrupted upload', async () => {
    async function* broken() {
      yield randomBytes(100);
      throw new Error('the client left');
    }
    await expect(storage.receive(broken())).rejects.toThrow('the client left');
    expect(await readdir(place.incoming)).toEqual([]);
  });

  it('accepts no place that is not a digest', async () => {
    for (const name of ['', '../../etc/passwd', 'A'.repeat(64), 'a'.repeat(63)])
      await expect(storage.has(name)).rejects.toThrow();
  });

  it('reports each outage, and works again afterwards', async () => {
    const bytes = randomBytes(100);
    const content = await keep(bytes);
    const late = await storage.receive([bytes]);
    await place.leave();
    try {
      const attempts = [
        () => storage.put(late),
        () => storage.open(content.sha256),
        () => storage.has(content.sha256),
        () => storage.remove(content.sha256),
        () => listed(),
      ];
      for (const attempt of attempts) {
        const error = await attempt().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: expect.any(Number) } });
      }
    } finally {
      await place.comeBack();
    }
    expect((await read(content)).equals(bytes)).toBe(true);
    await late.discard();
  });
});
