/**
 * Characters that mean the same with and without percent-encoding (RFC 3986, 2.3). After a `%` that encodes nothing,
 * decoding could make an encoding of it.
 */
const NEEDLESS = /(?<!%[\da-f]?)%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/**
 * The path and query for which a request line asks, as every client could have written them: without scheme and host
 * (RFC 9112, 3.2.2), without a fragment, and with no more percent-encoding in the path than it needs. It always begins
 * with `/`. Express would read anything else with `url.parse`, about which Node.js prints a warning.
 */
export function pathAsked(target: string): string {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  const plain = path.replace(NEEDLESS, decodeURIComponent);
  return `${plain.startsWith('/') ? '' : '/'}${plain}${query}`;
}
