/** Control characters could break the header; directional ones could disguise the extension. */
const UNSAFE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const ACCENTS = /\p{Mn}/gu;
/** Characters that the plain parameter cannot have. `%` is one, because some clients decode it. */
const NOT_PLAIN = /[^ -~]|["%/\\]/gu;

/**
 * Content-Disposition of a download, RFC 6266: a plain ASCII name for every client and, where that differs
 * from the name given, the exact one as `filename*` (RFC 8187). Any string is safe to pass.
 */
export function attachment(fileName: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const name = fileName.toWellFormed().replace(UNSAFE, '');
  const plain = name.normalize('NFD').replace(ACCENTS, '').replace(NOT_PLAIN, '_');
  const header = `${disposition}; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${extendedValue(name)}`;
}

/** `materiais-2026-11-20.csv`: the date is that of `now` in the time zone. */
export function datedFileName(stem: string, extension: string, now: Date, timeZone: string): string {
  // Swedish writes a date as ISO 8601 does.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  return `${stem}-${date}.${extension}`;
}

/** RFC 8187 leaves fewer characters as they are than encodeURIComponent does. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
