import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { LOCKS, takeSessionLock, trySessionLock, type LockName } from '../src/database/locks.ts';
import { NewsRefresher } from '../src/news/refresher.ts';
import { area, makeWorld } from './support/administration.ts';
import { item, rss, useFeed } from './support/feed.ts';
import { project } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const feed = useFeed();
const names = Object.keys(LOCKS) as LockName[];
const open: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: service().databaseUrl });
  open.push(client);
  await client.connect();
  return client;
}

afterEach(() => Promise.all(open.splice(0).map(client => client.end())));

describe('advisory locks', () => {
  it('are taken in one file only', async () => {
    const takers: string[] = [];
    for (const folder of ['src', 'test', 'bench', 'scripts'])
      for (const file of await readdir(join(project, folder), { recursive: true, withFileTypes: true })) {
        const path = join(file.parentPath, file.name);
        if (!file.isFile() || !/\.m?ts$|\.mjs$|\.sql$/.test(path)) continue;
        if (/pg_(try_)?advisory_\w*lock/.test(await readFile(path, 'utf8'))) takers.push(path);
      }
    expect(takers.filter(path => !path.includes('/migrations/'))).toEqual([
      join(project, 'src/database/locks.ts'),
    ]);
  });

  it('in functions of the database use the number of a kind', async () => {
    const functions = await service().sql(
      `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory'`,
    );
    const taken = functions.flatMap(([name, source]) =>
      [...String(source).matchAll(/advisory_\w*lock\w*\s*\(([^,)]*)(,?)/g)].map(([, key, comma]) => ({
        name,
        key: Number(key),
        hasTwoKeys: comma === ',',
      })),
    );
    const kinds: number[] = Object.values(LOCKS);
    expect(taken.filter(({ key, hasTwoKeys }) => !hasTwoKeys || !kinds.includes(key))).toEqual([]);
  });

  it('have a number for each kind', () => {
    expect(new Set(Object.values(LOCKS)).size).toBe(names.length);
  });

  it.each(names)('of one kind never block another kind: %s', async held => {
    const [holder, other] = [await connect(), await connect()];
    await takeSessionLock(holder, held);
    const free: LockName[] = [];
    for (const name of names) if (await trySessionLock(other, name)) free.push(name);
    expect(free).toEqual(names.filter(name => name !== held));
  });
});

it('permissions can be changed while a process refreshes the news', async () => {
  feed.answer = (_req, res) => res.end(rss(item(1)));
  const news = new NewsRefresher(service().services, feed.url);
  await news.turn();
  const { idPessoa, vazio } = await makeWorld(service());
  const admin = await service().as('admin');
  const answer = await admin.post(`${area}/permissoes`, { id_pessoa: idPessoa, id_perfil: vazio });
  await news.stop();
  expect(answer.status).toBe(201);
});
