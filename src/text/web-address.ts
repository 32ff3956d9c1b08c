/** The address of a web link; undefined for all other addresses, because browsers execute `javascript:` addresses. */
export function webAddress(link: string, base?: string): string | undefined {
  const url = URL.parse(link, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Whether a text is the address of a picture, or a `data:` URI with one. */
export const isPicture = (text: string): boolean =>
  webAddress(text) !== undefined || (URL.parse(text)?.href.startsWith('data:image/') ?? false);
