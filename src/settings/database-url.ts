/** The parts of a URL with several servers, in the format of libpq. `URL` cannot parse it. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
const TARGET = 'target_session_attrs';
/** Other programs name a schema with it. MikroORM would take it, but PostgreSQL's driver would not. */
const SCHEMA = 'schema';

interface ServerUrls {
  urls: string[];
  onlyPrimary: boolean;
  schema: string;
}

/**
 * The server URLs in a database URL, whether connections must go to a server that accepts writes, and the schema that it
 * names. The former is required when there are several servers. The URLs themselves name no schema.
 * @throws Error for an invalid URL
 */
export function urlsOf(url: string): ServerUrls {
  const [, begin = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  // The end of a password in which this character is not encoded. Errors name the host and the path.
  if (/[@#]/.test(rest)) throw new Error('the password is not encoded');
  const all = hosts.split(',').map(host => new URL(`${begin}${host}${rest}`));
  // The driver decodes them, too, and its error would be reported without the name of the setting.
  const { username, password, pathname } = all[0]!;
  for (const part of [username, password, pathname]) decodeURIComponent(part);
  const target = all[0]!.searchParams.get(TARGET) ?? (all.length > 1 ? 'read-write' : 'any');
  if (target !== 'read-write' && (target !== 'any' || all.length > 1))
    throw new Error(`${TARGET}=${target} does not lead to the primary`);
  const schema = all[0]!.searchParams.get(SCHEMA) ?? 'public';
  for (const { searchParams } of all) for (const name of [TARGET, SCHEMA]) searchParams.delete(name);
  return { urls: all.map(({ href }) => href), onlyPrimary: target === 'read-write', schema };
}
