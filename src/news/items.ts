import { parseFeed } from 'feedsmith';
import { newsLengths } from '../entities/institucional/noticia-lengths.ts';
import { webAddress } from '../text/web-address.ts';
import { plainText, shortened } from './plain-text.ts';

/** A news item as stored. */
export interface NewsItem {
  titulo: string;
  resumo: string | null;
  link: string;
  /** As ISO 8601, null if the feed has no date. Without an offset, in the time zone of the institution. */
  publicadaEm: string | null;
}

/** The fields of an entry, in any feed format. */
interface Entry {
  title: string | undefined;
  summary: string | undefined;
  link: string | undefined;
  date: string | undefined;
}

/** Most items of one copy of a feed. The others are older. */
const MOST_ITEMS = 200;

/**
 * The usable items of an RSS or Atom feed: those with a headline and a web address, one per address. Relative addresses
 * are resolved against `base`.
 * @throws Error when the text is not a feed
 */
export function newsItems(text: string, base: string): NewsItem[] {
  const items = new Map<string, NewsItem>();
  for (const entry of entriesOf(text).slice(0, MOST_ITEMS)) {
    const item = itemOf(entry, base);
    if (item && !items.has(item.link)) items.set(item.link, item);
  }
  return [...items.values()];
}

function entriesOf(text: string): Entry[] {
  const { format, feed } = parseFeed(text);
  if (format === 'json') throw new Error('it is neither RSS nor Atom');
  if (format === 'atom')
    return (feed.entries ?? []).map(entry => ({
      title: entry.title?.value,
      summary: entry.summary?.value ?? entry.content?.value,
      link: (entry.links?.find(link => (link.rel ?? 'alternate') === 'alternate') ?? entry.links?.[0])?.href,
      date: entry.published ?? entry.updated,
    }));
  if (format === 'rdf')
    return (feed.items ?? []).map(item => ({
      title: item.title,
      summary: item.description,
      link: item.link,
      date: item.dc?.dates?.[0],
    }));
  return (feed.items ?? []).map(item => ({
    title: item.title,
    summary: item.description ?? item.content?.encoded,
    link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
    date: item.pubDate ?? item.dc?.dates?.[0],
  }));
}

function itemOf({ title, summary, link, date }: Entry, base: string): NewsItem | undefined {
  const titulo = shortened(plainText(title ?? ''), newsLengths.titulo);
  const address = addressOf(link, base);
  if (!titulo || !address) return undefined;
  return {
    titulo,
    resumo: shortened(plainText(summary ?? ''), newsLengths.resumo) || null,
    link: address,
    publicadaEm: moment(date),
  };
}

function addressOf(link: string | undefined, base: string): string | undefined {
  const trimmed = link?.trim();
  const address = trimmed ? webAddress(trimmed, base) : undefined;
  return address && address.length <= newsLengths.link ? address : undefined;
}

/** After a time, an offset or the name of a zone, but not `AM` or `PM`. */
const ZONED = /^[^:]*:\d\d.*(?:[+-]\d|[a-z)]$(?<!\b[ap]m))/i;
const LAST_YEAR = 9999;

function moment(date = ''): string | null {
  const given = date.trim();
  const isZoned = ZONED.test(given);
  // What has no zone must not get that of the process.
  const found = new Date(isZoned ? given : `${given}Z`);
  if (!(found.getTime() > 0) || found.getUTCFullYear() > LAST_YEAR) return null;
  const text = found.toISOString();
  return isZoned ? text : text.slice(0, -1);
}
