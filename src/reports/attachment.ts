/** Control characters could break the header, and directional ones could disguise the file extension. */
const UNSAFE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const ACCENTS = /\p{Mn}/gu;
/** Characters that the plain parameter cannot have. `%` is one, because some clients decode it. */
const NOT_PLAIN = /[^ -~]|["%/\\]/gu;

/**
 * Content-Disposition of a download, RFC 6266: a plain ASCII name for every client and, if the given name differs from
 * that, the exact one as `filename*` (RFC 8187). Any string is safe to pass.
 */
export function attachment(fileName: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const name = fileName.toWellFormed().replace(UNSAFE, '');
  const plain = name.normalize('NFD').replace(ACCENTS, '').replace(NOT_PLAIN, '_');
  const header = `${disposition}; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${extendedValue(name)}`;
}

/** `materiais-2026-11-20.csv`: the date is that of `now` in the time zone. */
export function datedFileName(stem: string, extension: string, now: Date, timeZone: string): string {
  // The Swedish locale formats dates as ISO 8601.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  return `${stem}-${date}.${extension}`;
}

/** RFC 8187 permits fewer unescaped characters than encodeURIComponent. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
