/** The parts of a URL with several servers, as libpq writes them. `URL` cannot read it. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/s;
const TARGET = 'target_session_attrs';

/**
 * The URLs of the servers that one URL of a database names, and whether connections may only lead to one that takes
 * changes, which is so for several servers. @throws Error for a URL that cannot be used
 */
export function urlsOf(url: string): { urls: string[]; onlyPrimary: boolean } {
  const [, begin = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const all = hosts.split(',').map(host => new URL(`${begin}${host}${rest}`));
  const target = all[0]!.searchParams.get(TARGET) ?? (all.length > 1 ? 'read-write' : 'any');
  if (target !== 'read-write' && (target !== 'any' || all.length > 1))
    throw new Error(`${TARGET}=${target} does not lead to the primary`);
  for (const one of all) one.searchParams.delete(TARGET);
  return { urls: all.map(({ href }) => href), onlyPrimary: target === 'read-write' };
}
