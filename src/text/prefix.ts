/** A path with its parameters, without this prefix. It stays as it is if it has not the prefix, or if that is empty. */
export function withoutPrefix(path: string, prefix: string): string {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  if (prefix === '' || rest === undefined || !/^([/?]|$)/.test(rest)) return path;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
