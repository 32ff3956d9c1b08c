/** The parts of a URL with several servers, in the format of libpq. `URL` cannot parse it. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/s;
const TARGET = 'target_session_attrs';

/**
 * The server URLs in a database URL, and whether connections must go to a server that accepts writes. This is required
 * when there are several servers. @throws Error for an invalid URL
 */
export function urlsOf(url: string): { urls: string[]; onlyPrimary: boolean } {
  const [, begin = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const all = hosts.split(',').map(host => new URL(`${begin}${host}${rest}`));
  // The driver decodes them, too, and its error would be reported without the name of the setting.
  const { username, password, pathname } = all[0]!;
  for (const part of [username, password, pathname]) decodeURIComponent(part);
  const target = all[0]!.searchParams.get(TARGET) ?? (all.length > 1 ? 'read-write' : 'any');
  if (target !== 'read-write' && (target !== 'any' || all.length > 1))
    throw new Error(`${TARGET}=${target} does not lead to the primary`);
  for (const one of all) one.searchParams.delete(TARGET);
  return { urls: all.map(({ href }) => href), onlyPrimary: target === 'read-write' };
}
