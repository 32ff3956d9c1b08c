import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DownloadLimits } from '../src/news/download.ts';
import { newsItems } from '../src/news/items.ts';
import { plainText, shortened } from '../src/news/plain-text.ts';
import { refreshNews, type RefreshResult } from '../src/news/refresh.ts';
import { NewsRefresher } from '../src/news/refresher.ts';
import { item, rss, useFeed } from './support/feed.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, useService } from './support/service.ts';

const path = '/institucional/noticias';
const service = useService();
const feed = useFeed();
const limits: DownloadLimits = { answerMs: 5_000, wholeMs: 5_000, bytes: 5_000_000, redirects: 5 };

const refresh = (other: Partial<DownloadLimits> = {}): Promise<RefreshResult | undefined> =>
  refreshNews(service().services, feed.url, { ...limits, ...other }, new AbortController().signal);

const send =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/rss+xml', ...headers }).end(body);

/** Headlines of the stored news that came from the feed, newest first. */
const stored = async (): Promise<unknown[]> =>
  (
    await service().sql(
      `select titulo from noticia where link like 'https://www.example.edu/%' order by publicada_em desc, id`,
    )
  ).flat();

describe('the news', () => {
  it('are the five newest, as a page, for every logged-in person', async () => {
    const { status, body } = await (await service().as('discente')).get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 5, page: 1, itemsPerPage: 5, totalPages: 1 });
    expect(body.data[0]).toMatchObject({
      titulo: expect.stringContaining('iniciação científica'),
      resumo: expect.any(String),
      link: expect.stringMatching(/^https:/),
      publicada_em: expect.stringMatching(/Z$/),
    });
    const moments: string[] = body.data.map((news: any) => news.publicada_em);
    expect(moments).toEqual(moments.toSorted((a, b) => b.localeCompare(a)));
  });

  it('are as many as requested, on both faces', async () => {
    const client = await service().as('discente');
    expect((await client.get(`${path}?items=2`)).body).toMatchObject({ total: 2, itemsPerPage: 2 });
    expect((await client.get(`${path}?items=50`)).body.total).toBe(12);
    const { data } = await client.graphql('{ noticias(items: 3) { total data { titulo } } }');
    expect(data.noticias).toMatchObject({ total: 3, data: [{}, {}, {}] });
  });

  it('that are requested by their number have no further pages, and no other part', async () => {
    const client = await service().as('discente');
    const { data } = await client.graphql(
      `{ noticias(itemsPerPage: 2) { nextCursor }
         some: noticias(items: 3) { total page itemsPerPage totalPages nextCursor }
         usual: noticias(items: 3, page: 1, itemsPerPage: 10, after: null) { total } }`,
    );
    expect(data.some).toEqual({ total: 3, page: 1, itemsPerPage: 3, totalPages: 1, nextCursor: null });
    expect(data.usual).toEqual({ total: 3 });
    const { nextCursor } = data.noticias;
    const { errors } = await client.graphql(
      `{ noticias(items: 3, page: 2, itemsPerPage: 3, after: "${nextCursor}") { total } }`,
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: 'BAD_REQUEST',
      errors: [{ field: 'page' }, { field: 'itemsPerPage' }, { field: 'after' }],
    });
    // Old clients may send parameters that the operation does not have.
    const { status, body } = await client.get(`${path}?items=3&page=2&itemsPerPage=4`);
    expect([status, body.total, body.page, body.itemsPerPage]).toEqual([200, 3, 1, 3]);
  });

  it('are in GraphQL a list as others are', async () => {
    const client = await service().as('discente');
    const { data, errors } = await client.graphql(
      `{ noticias(itemsPerPage: 2) { total nextCursor data { titulo } summary { count max { publicadaEm } } }
         some: noticias(filter: { titulo: { contains: "CIENTIFICA" } }, orderBy: [{ titulo: asc }]) { data { titulo } }
         latest: noticias(items: 3) { total summary { count } } }`,
    );
    expect(errors).toBeUndefined();
    const { noticias, some, latest } = data;
    expect(noticias).toMatchObject({ total: 12, summary: { count: 12 } });
    expect(some.data.length).toBeGreaterThan(0);
    for (const { titulo } of some.data) expect(titulo).toMatch(/científica/i);
    expect(latest).toEqual({ total: 3, summary: { count: 12 } });
    const next = await client.graphql(
      `{ noticias(itemsPerPage: 2, after: "${noticias.nextCursor}") { data { titulo } } all: noticias { data { titulo } } }`,
    );
    expect([...noticias.data, ...next.data.noticias.data]).toEqual(next.data.all.data.slice(0, 4));
  });

  it('are at least one and at most 50', async () => {
    const client = await service().as('discente');
    for (const items of ['0', '-1', '51', 'dez']) {
      const refused = await client.get(`${path}?items=${items}`);
      expectProblem(refused, 400, 'BAD_REQUEST');
      expect(fieldsOf(refused)).toEqual(['items']);
    }
    const { errors } = await client.graphql('{ noticias(items: 51) { total } }');
    expect(errors![0]!.extensions.code).toBe('BAD_REQUEST');
  });

  it('need a token', async () => expectProblem(await service().anyone.get(path), 401, 'UNAUTHENTICATED'));
});

describe('a person who manages the news', () => {
  const admin = () => service().as('admin');
  const shown = async (): Promise<any[]> =>
    (await (await service().as('discente')).get(`${path}?items=50`)).body.data;
  const [first, last] = [2, 1].map(n => `https://www.example.edu/n/${n}`);
  const idOf = async (link: string): Promise<number> =>
    (await service().sql('select id from noticia where link = $1', [link]))[0]![0] as number;
  const change = async (link: string, body: object) =>
    (await admin()).put(`${path}/${await idOf(link)}`, body);

  beforeEach(async () => {
    await service().sql(`delete from noticia where link like 'https://www.example.edu/%'`);
    await service().sql('delete from fonte_noticias');
    feed.answer = send(rss(item(1) + item(2)));
    await refresh();
  });

  it('pins and withdraws, and the feed does not undo it', async () => {
    expect((await change(last!, { fixada: true })).body).toMatchObject({ fixada: true, retirada: false });
    expect((await change(first!, { retirada: true })).status).toBe(200);
    feed.answer = send(rss(item(1, 'Corrigida') + item(2, 'Corrigida também') + item(3)));
    expect(await refresh()).toEqual({ items: 3, changed: 3 });
    const news = await shown();
    expect(news[0]).toMatchObject({ link: last, titulo: 'Corrigida', fixada: true });
    expect(news.slice(1).some(({ fixada }) => fixada)).toBe(false);
    expect(news.map(({ link }) => link)).not.toContain(first);
    const { data } = await (
      await service().as('discente')
    ).graphql('{ noticias(itemsPerPage: 1) { nextCursor data { link } } }');
    expect(data.noticias.data).toEqual([{ link: last }]);
    const withdrawn = await (await admin()).get(`${path}/retiradas`);
    expect(withdrawn.body.data).toMatchObject([{ link: first, titulo: 'Corrigida também' }]);
    const [[author, changes]] = (await service().sql(
      `select id_pessoa, alteracoes from auditoria where tabela = 'noticia' and id_registro = $1 and id_pessoa is not null`,
      [await idOf(first!)],
    )) as [[number, object]];
    expect([author, changes]).toMatchObject([1, { retirada: [false, true] }]);
    await change(first!, { retirada: false });
    expect((await shown()).map(({ link }) => link)).toContain(first);
    expect(await change(first!, { retirada: null })).toMatchObject({
      status: 200,
      body: { retirada: false },
    });
  });

  it('needs the right for it', async () => {
    const id = await idOf(first!);
    for (const login of ['discente', 'tecnico']) {
      const client = await service().as(login);
      expectProblem(await client.put(`${path}/${id}`, { retirada: true }), 403, 'FORBIDDEN');
      expectProblem(await client.post(`${path}/buscar`), 403, 'FORBIDDEN');
      expectProblem(await client.get(`${path}/retiradas`), 403, 'FORBIDDEN');
    }
    expectProblem(await (await admin()).put(`${path}/999999`, { fixada: true }), 404, 'NOT_FOUND');
  });

  it('reads the feed at once, in their name, and is told when it cannot be read', async () => {
    expectProblem(await (await admin()).post(`${path}/buscar`), 409, 'INVALID_STATE');
    const fed = await startService({ NEWS_FEED_URL: feed.url }, service());
    const client = await fed.as('admin');
    feed.answer = send(rss(item(1) + item(4)), { etag: '"v2"' });
    expect((await client.post(`${path}/buscar`)).body).toEqual({ mudou: true, alteradas: 1 });
    const [[author]] = (await service().sql(
      `select id_pessoa from auditoria where tabela = 'noticia' and id_registro = $1`,
      [await idOf('https://www.example.edu/n/4')],
    )) as [[number]];
    expect(author).toBe(1);
    feed.answer = (_req, res) => res.writeHead(304).end();
    const { data } = await client.graphql('mutation { buscarNoticias { mudou alteradas } }');
    expect(data.buscarNoticias).toEqual({ mudou: false, alteradas: 0 });
    feed.answer = (_req, res) => res.writeHead(500).end();
    expectProblem(await client.post(`${path}/buscar`), 503, 'UNAVAILABLE');
    expect(await stored()).toHaveLength(3);
    await fed.stop();
  });

  it('gets the first answer when they send the request again with its key, also if the feed had not changed', async () => {
    const fed = await startService({ NEWS_FEED_URL: feed.url }, service());
    try {
      const asked = async (key: string) => {
        const client = (await fed.as('admin')).with({ 'idempotency-key': `${key}-by-rest` });
        const byRest = [await client.post(`${path}/buscar`), await client.post(`${path}/buscar`)];
        const other = (await fed.as('admin')).with({ 'idempotency-key': `${key}-by-graphql` });
        const byGraphql = [await other.graphql(mutation), await other.graphql(mutation)];
        return [
          ...byRest.map(({ status, body }) => [status, body]),
          ...byGraphql.map(({ data, errors }) => [errors, data?.buscarNoticias]),
        ];
      };
      const mutation = 'mutation { buscarNoticias { mudou alteradas } }';
      const answers = (mudou: boolean, first: number, second: number) => [
        [200, { mudou, alteradas: first }],
        [200, { mudou, alteradas: first }],
        [undefined, { mudou, alteradas: second }],
        [undefined, { mudou, alteradas: second }],
      ];
      feed.answer = send(rss(item(1) + item(5)));
      expect(await asked('changed')).toEqual(answers(true, 1, 0));
      feed.answer = (_req, res) => res.writeHead(304).end();
      expect(await asked('unchanged')).toEqual(answers(false, 0, 0));
    } finally {
      await fed.stop();
    }
  });
});

describe('a feed', () => {
  beforeEach(async () => {
    await service().sql(`delete from noticia where link like 'https://www.example.edu/%'`);
    await service().sql('delete from fonte_noticias');
  });

  it('adds its news to the existing ones', async () => {
    feed.answer = send(
      rss(
        item(1) +
          item(
            2,
            'Prêmio &amp; &lt;b&gt;bolsa&lt;/b&gt;',
            '<description>&lt;p&gt;Olá&lt;/p&gt;</description>',
          ),
      ),
    );
    expect(await refresh()).toEqual({ items: 2, changed: 2 });
    const { body } = await (await service().as('discente')).get(`${path}?items=50`);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        titulo: 'Prêmio & bolsa',
        resumo: 'Olá',
        link: 'https://www.example.edu/n/2',
        publicada_em: '2026-11-05T15:00:00.000Z',
      }),
    );
  });

  it('changes corrected items, keeps items that it drops, and does not touch equal ones', async () => {
    feed.answer = send(rss(item(1) + item(2)));
    await refresh();
    feed.answer = send(rss(item(2, 'Corrigida') + item(3)));
    expect(await refresh()).toEqual({ items: 2, changed: 2 });
    expect(await stored()).toEqual(['Notícia 3', 'Corrigida', 'Notícia 1']);
    expect(await refresh()).toEqual({ items: 2, changed: 0 });
  });

  it('is requested only if it has changed', async () => {
    const validators = { etag: '"v1"', 'last-modified': 'Thu, 05 Nov 2026 12:00:00 GMT' };
    feed.answer = send(rss(item(1)), validators);
    await refresh();
    feed.answer = (_req, res) => res.writeHead(304).end();
    expect(await refresh()).toBeUndefined();
    expect(feed.requests[1]!.headers).toMatchObject({
      'if-none-match': validators.etag,
      'if-modified-since': validators['last-modified'],
    });
    expect(await stored()).toEqual(['Notícia 1']);
  });

  it('is requested in full again after a copy that could not be read', async () => {
    feed.answer = send('nothing that is a feed', { etag: '"bad"' });
    await expect(refresh()).rejects.toThrow(/feed/i);
    feed.answer = send(rss(item(1)));
    await refresh();
    expect(feed.requests[1]!.headers['if-none-match']).toBeUndefined();
  });

  it('may be Atom', async () => {
    feed.answer = send(`<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry>
      <title type="html">Um &lt;i&gt;átomo&lt;/i&gt;</title><link rel="self" href="/self"/><link href="https://www.example.edu/a"/>
      <published>2026-11-01T10:00:00Z</published><summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Olá</p></div></summary>
      </entry></feed>`);
    await refresh();
    expect(
      await service().sql(`select titulo, resumo from noticia where link = 'https://www.example.edu/a'`),
    ).toEqual([['Um átomo', 'Olá']]);
  });

  it('may be compressed, and may redirect', async () => {
    feed.answer = (req, res) => {
      if (req.url === '/moved')
        res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(rss(item(1))));
      else res.writeHead(301, { location: '/moved' }).end();
    };
    expect(await refresh()).toEqual({ items: 1, changed: 1 });
  });

  it('is read correctly if it claims a wrong encoding', async () => {
    const title = 'Atenção à inscrição';
    const lies: [Buffer, string][] = [
      [Buffer.from(rss(item(1, title))), 'text/xml; charset=iso-8859-1'],
      [Buffer.from(rss(item(1, title)), 'latin1'), 'text/xml; charset=utf-8'],
      [Buffer.from(rss(item(1, title)), 'latin1'), 'text/xml; charset=klingon'],
      [Buffer.from(`\ufeff${rss(item(1, title))}`, 'utf16le'), 'text/xml; charset=utf-8'],
    ];
    for (const [body, type] of lies) {
      await service().sql(`delete from noticia where link like 'https://www.example.edu/%'`);
      feed.answer = send(body, { 'content-type': type });
      await refresh();
      expect(await stored(), type).toEqual([title]);
    }
  });

  it('is read to the end although it has invalid items', async () => {
    const bad = [
      '<item/>',
      '<item><title>Sem endereço</title></item>',
      '<item><link>https://www.example.edu/untitled</link></item>',
      '<item><title>Perigosa</title><link>javascript:alert(1)</link></item>',
      `<item><title>Longa</title><link>https://www.example.edu/${'x'.repeat(2_000)}</link></item>`,
      item(1, 'Repetida'),
    ];
    feed.answer = send(rss(item(1) + bad.join('') + item(2, 'a\0b&#0;c')));
    expect(await refresh()).toEqual({ items: 2, changed: 2 });
    expect(await stored()).toEqual(['ab\ufffdc', 'Notícia 1']);
  });

  it('cannot put news first with a future date; without a date an item has the time of its first reading', async () => {
    const dated = (n: number, date: string): string =>
      `<item><title>${n}</title><link>https://www.example.edu/n/${n}</link>${date}</item>`;
    feed.answer = send(
      rss(
        dated(1, '<pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate>') +
          dated(2, '<pubDate>ontem</pubDate>') +
          dated(3, ''),
      ),
    );
    await refresh();
    const moments = `select publicada_em <= now(), publicada_em from noticia where link like 'https://www.example.edu/%' order by id`;
    const first = await service().sql(moments);
    expect(first.map(([past]) => past)).toEqual([true, true, true]);
    expect(await refresh()).toEqual({ items: 3, changed: 0 });
    expect(await service().sql(moments)).toEqual(first);
  });

  const dates = (...given: readonly string[]): string =>
    given
      .map(
        (date, n) =>
          `<item><title>${n}</title><link>https://www.example.edu/d/${n}</link><pubDate>${date}</pubDate></item>`,
      )
      .join('');
  const shown = async (): Promise<any[]> =>
    (await (await service().as('discente')).get(`${path}?items=50`)).body.data.filter(
      ({ link }: { link: string }) => link.startsWith('https://www.example.edu/'),
    );

  it('is read although the year of an item has five digits, which is no date', async () => {
    feed.answer = send(rss(dates('Sat, 28 Nov 20266 10:00:00 GMT') + item(1)));
    expect(await refresh()).toEqual({ items: 2, changed: 2 });
    expect((await shown()).map(({ titulo }) => titulo)).toEqual(['0', 'Notícia 1']);
  });

  it('has dates without a zone in the time zone of the institution, whatever that of the process is', async () => {
    const given: [string, string][] = [
      ['2020-11-27', '2020-11-27T03:00:00.000Z'],
      ['27 Nov 2020', '2020-11-27T03:00:00.000Z'],
      ['2020-11-27T10:00', '2020-11-27T13:00:00.000Z'],
      ['Fri, 27 Nov 2020 10:00:00', '2020-11-27T13:00:00.000Z'],
      ['2020-11-27 10:00:00', '2020-11-27T13:00:00.000Z'],
      ['2020-11-27T10:00:00Z', '2020-11-27T10:00:00.000Z'],
      ['2020-11-27T10:00:00+09:00', '2020-11-27T01:00:00.000Z'],
      ['Fri, 27 Nov 2020 10:00:00 GMT', '2020-11-27T10:00:00.000Z'],
      ['Fri, 27 Nov 2020 10:00:00 EST', '2020-11-27T15:00:00.000Z'],
      ['Fri, 27 Nov 2020 10:00:00 -0200 (hora de verão)', '2020-11-27T12:00:00.000Z'],
    ];
    feed.answer = send(rss(dates(...given.map(([date]) => date))));
    await refresh();
    const found = (await shown()).toSorted((a, b) => a.titulo.localeCompare(b.titulo));
    expect(found.map(({ publicada_em }, n) => [given[n]![0], publicada_em])).toEqual(given);
  });

  it('keeps its order of items without a date', async () => {
    feed.answer = send(
      rss(['c', 'a', 'b'].map(name => `<item><title>${name}</title><link>/d/${name}</link></item>`).join('')),
    );
    await service().sql(`delete from noticia where link like '${new URL('/d/', feed.url).href}%'`);
    await refresh();
    const { body } = await (await service().as('discente')).get(`${path}?items=3`);
    expect(body.data.map(({ titulo }: { titulo: string }) => titulo)).toEqual(['c', 'a', 'b']);
    await service().sql(`delete from noticia where link like '${new URL('/d/', feed.url).href}%'`);
  });

  const failures: [string, RequestListener, Partial<DownloadLimits>, RegExp][] = [
    ['fails', (_req, res) => res.writeHead(500).end('oops'), {}, /answers 500/],
    [
      'is cut off',
      (_req, res) =>
        void res.writeHead(200, { 'content-length': '5000' }).write(rss(item(9)), () => res.destroy()),
      {},
      /terminated/,
    ],
    ['does not answer', () => {}, { answerMs: 100 }, /does not answer within 100 ms/],
    [
      'stalls in the middle',
      (_req, res) => void res.writeHead(200).write('<rss>'),
      { wholeMs: 300 },
      /timeout/,
    ],
    ['sends garbage', send(Buffer.from([0xff, 0x00, 0x81, 0x3c, 0x72])), {}, /Unrecognized feed/],
    ['sends a page instead', send('<html><body><h1>Manutenção</h1></body></html>'), {}, /Unrecognized feed/],
    ['has nothing in it', send(rss('')), {}, /no news/],
    ['sends 20 MB', send(rss(item(9, 'x'.repeat(20_000_000)))), {}, /larger than 5000000 bytes/],
    [
      'packs 20 MB into a few kB',
      send(gzipSync(rss(item(9, 'x'.repeat(20_000_000)))), { 'content-encoding': 'gzip' }),
      {},
      /larger than 5000000 bytes/,
    ],
    [
      'redirects for ever',
      (_req, res) => res.writeHead(302, { location: '/feed' }).end(),
      {},
      /more than 5 times/,
    ],
    [
      'leads to a file',
      (_req, res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      {},
      /leads to file:/,
    ],
  ];

  it.each(failures)('that %s does not change the news', async (_name, answer, bounds, why) => {
    feed.answer = send(rss(item(1)));
    await refresh();
    feed.answer = answer;
    await expect(refresh(bounds)).rejects.toThrow(why);
    expect(await stored()).toEqual(['Notícia 1']);
  });
});

it('a feed that takes long to parse does not block the event loop', async () => {
  // Many elements, but no news.
  feed.answer = send(rss('<a/>'.repeat(600_000)));
  const before = [process.threadCpuUsage(), process.cpuUsage()] as const;
  await expect(refresh({ wholeMs: 30_000 })).rejects.toThrow('no news');
  const used = [process.threadCpuUsage(before[0]), process.cpuUsage(before[1])] as const;
  const [own, all] = used.map(({ user, system }) => user + system) as [number, number];
  expect(own).toBeLessThan(all / 2);
});

describe('the refreshing of the news', () => {
  it('is done by one process of several, and by another one after that has stopped', async () => {
    feed.answer = send(rss(item(1)));
    const { services } = service();
    const [one, other] = [1, 2].map(() => new NewsRefresher(services, feed.url)) as [
      NewsRefresher,
      NewsRefresher,
    ];
    await one.turn();
    await other.turn();
    await one.turn();
    expect(feed.requests).toHaveLength(2);
    await one.stop();
    await eventually(async () => {
      await other.turn();
      expect(feed.requests).toHaveLength(3);
    });
    await other.stop();
  });

  it('is taken over from a process that is suspended', async () => {
    feed.answer = send(rss(item(1)));
    const { services } = service();
    const [suspended, other] = [new NewsRefresher(services, feed.url), new NewsRefresher(services, feed.url)];
    // It has its first turn, and no other.
    const timer = vi.spyOn(globalThis, 'setInterval').mockImplementationOnce(() => undefined as never);
    suspended.start(1 / 60);
    timer.mockRestore();
    await eventually(() => expect(feed.requests).toHaveLength(1));
    await other.turn();
    expect(feed.requests).toHaveLength(1);
    await eventually(async () => {
      await other.turn();
      expect(feed.requests).toHaveLength(2);
    });
    await suspended.stop();
    await other.stop();
  });

  it('continues with a new connection after the database has ended the old one', async () => {
    feed.answer = send(rss(item(1)));
    const news = new NewsRefresher(service().services, feed.url);
    await news.turn();
    await service().sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'sii-news' and datname = current_database()`);
    await eventually(async () => {
      await news.turn();
      expect(feed.requests).toHaveLength(2);
    });
    await news.stop();
  });

  it('stops a hanging download when the process stops', async () => {
    feed.answer = () => {};
    const news = new NewsRefresher(service().services, feed.url);
    news.start(1);
    await eventually(() => expect(feed.requests).toHaveLength(1));
    await news.stop();
    expect(feed.requests).toHaveLength(1);
  });
});

describe('the built service', () => {
  const processes = useProcesses();
  beforeAll(build);

  it('has the news of its feed, even while the feed is away', async () => {
    feed.answer = send(rss(item(7, 'Do feed')));
    const environment = { DATABASE_URL: service().databaseUrl, NEWS_FEED_URL: feed.url };
    const run = processes.service(environment);
    await run.ready();
    await eventually(async () => expect(await stored()).toContain('Do feed'));
    expect(await run.stop()).toEqual({ code: 0, signal: null });
    feed.answer = (_req, res) => res.destroy();
    const again = processes.service(environment);
    const client = (await again.client()).with((await service().as('discente')).headers);
    await again.logged('news feed not read');
    const { body } = await client.get(`${path}?items=50`);
    expect(body.data.map((news: any) => news.titulo)).toContain('Do feed');
  });
});

describe('text', () => {
  it.each([
    ['<p>Olá,&nbsp;<b>mundo</b></p><p>&ccedil;&#231;&#xE7; &amp; cia.</p>', 'Olá, mundo ççç & cia.'],
    ['a <script>alert("x")</script><style>p{}</style><!-- c -->b', 'a b'],
    ['a &lt;script&gt;alert(1)&lt;/script&gt; b', 'a b'],
    ['a <img src=x onerror=alert(1)', 'a'],
    ['1 < 2 e 3 > 2', '1 < 2 e 3 > 2'],
    ['&unknown; &#xD800; &#9999999;', '&unknown;'],
    ['\u0007 \ud800', '\ufffd'],
  ])('of %s is %s', (html, text) => expect(plainText(html)).toBe(text));

  it('is cut at a word', () => {
    expect(shortened('uma frase comprida', 12)).toBe('uma frase…');
    expect(shortened('curta', 5)).toBe('curta');
    expect(shortened('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});

it('addresses in a feed may be relative', () => {
  const items = newsItems(
    rss('<item><title>a</title><link>/x</link></item>'),
    'https://www.example.edu/feed',
  );
  expect(items.map(({ link }) => link)).toEqual(['https://www.example.edu/x']);
});
