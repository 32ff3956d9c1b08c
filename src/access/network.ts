import ipaddr from 'ipaddr.js';

/** An address with a port, as some proxies forward it. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Length of an IPv6 network prefix in bytes. A client with one address usually controls its whole /64. */
const NETWORK_BYTES = 8;

/**
 * Network of all text that is not an address. All of it counts as one network, so that invalid text does not evade the
 * limit.
 */
const UNREADABLE = '?';

/** The network of an address, for counting failures: the address itself for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const bare = v4 ?? v6 ?? address;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare).toString();
  if (!ipaddr.IPv6.isValid(bare)) return UNREADABLE;
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex');
}
