import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import { type Services } from '../request/services.ts';
import { download, type DownloadLimits, type Validators } from './download.ts';
import type { NewsItem } from './items.ts';
import { readFeed } from './read.ts';

/** Number of items in the copy of the feed, and number of new or changed ones. */
export interface RefreshResult {
  items: number;
  changed: number;
}

/** A downloaded and parsed copy of a feed. */
interface FetchedNews {
  items: NewsItem[];
  validators: Validators;
}

/**
 * Updates the stored news from the feed; undefined when the feed has not changed. News that are no longer in the feed
 * stay. On an error nothing is changed, and the next download is unconditional.
 * @throws Error that says what is wrong with the feed
 */
export async function refreshNews(
  { orm }: Pick<Services, 'orm'>,
  url: string,
  limits: DownloadLimits,
  stop: AbortSignal,
): Promise<RefreshResult | undefined> {
  const fetched = await fetchNews({ orm }, url, limits, stop);
  return fetched && orm.em.fork().transactional(em => keepNews(em, url, fetched));
}

/** Downloads and parses the feed; undefined when it has not changed. @throws Error that says what is wrong with it */
export async function fetchNews(
  { orm }: Pick<Services, 'orm'>,
  url: string,
  limits: DownloadLimits,
  stop: AbortSignal,
): Promise<FetchedNews | undefined> {
  const copy = await download(url, await validatorsOf(orm.em.fork(), url), limits, stop);
  if (!copy) return undefined;
  const items = await readFeed({ bytes: copy.bytes, contentType: copy.contentType, url }, stop);
  if (items.length === 0) throw new Error('the feed has no news that can be shown');
  return { items, validators: copy };
}

/** Stores downloaded news in the caller's transaction. Decisions of people about known news stay. */
export async function keepNews(
  em: EntityManager,
  url: string,
  { items, validators }: FetchedNews,
): Promise<RefreshResult> {
  const changed = await store(em, items);
  await remember(em, url, validators);
  return { items: items.length, changed };
}

async function validatorsOf(em: EntityManager, url: string): Promise<Validators> {
  const [row] = await transactionReader(em).rows(
    'select etag as c0, ultima_modificacao as c1 from fonte_noticias where url = $1',
    [url],
  );
  const [etag = null, lastModified = null] = (row ?? []) as (string | null)[];
  return { etag, lastModified };
}

/**
 * News without a date get the time when they were first seen, less a millisecond for each item before them, because feeds
 * begin with the newest. So do news with a date in the future, because they would stay on top until that date; one hour of
 * tolerance allows for the feed's clock. Dates without an offset are in the institution's time zone, which is that of the
 * database session. All writers use the same order, because a scheduled refresh may run at the same time as a manual one.
 */
const STORE = `with given as (
    select * from rows from (
      jsonb_to_recordset($1::jsonb) as (titulo text, resumo text, link text, "publicadaEm" timestamptz)
    ) with ordinality as g(titulo, resumo, link, "publicadaEm", nth)
  ), stored as (
    insert into noticia as n (titulo, resumo, link, publicada_em)
    select g.titulo, g.resumo, g.link, coalesce(
      case when g."publicadaEm" <= now() + interval '1 hour' then g."publicadaEm" end, known.publicada_em,
      now() - (g.nth - 1) * interval '1 ms')
    from given g left join noticia known on known.link = g.link
    order by g.link
    on conflict (link) do update
      set titulo = excluded.titulo, resumo = excluded.resumo, publicada_em = excluded.publicada_em, alterado_em = now()
      where (n.titulo, n.resumo, n.publicada_em)
        is distinct from (excluded.titulo, excluded.resumo, excluded.publicada_em)
    returning 1
  )
  select count(*)::int as c0 from stored`;

async function store(em: EntityManager, items: readonly NewsItem[]): Promise<number> {
  const [row] = await transactionReader(em).rows(STORE, [JSON.stringify(items)]);
  return row![0] as number;
}

const REMEMBER = `insert into fonte_noticias as f (url, etag, ultima_modificacao) values ($1, $2, $3)
  on conflict (url) do update set etag = excluded.etag, ultima_modificacao = excluded.ultima_modificacao
  where (f.etag, f.ultima_modificacao) is distinct from (excluded.etag, excluded.ultima_modificacao)`;

async function remember(em: EntityManager, url: string, { etag, lastModified }: Validators): Promise<void> {
  await transactionReader(em).rows(REMEMBER, [url, etag, lastModified]);
}
