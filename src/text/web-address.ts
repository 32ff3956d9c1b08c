/** The address of a link that leads to the web; undefined for any other, since a browser would run `javascript:`. */
export function webAddress(link: string, base?: string): string | undefined {
  const url = URL.parse(link, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Whether a text is the address of a picture, or the picture itself. */
export const isPicture = (text: string): boolean =>
  webAddress(text) !== undefined || (URL.parse(text)?.href.startsWith('data:image/') ?? false);
