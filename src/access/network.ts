import ipaddr from 'ipaddr.js';

/** Address and port, as some proxies forward them. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Bytes of an IPv6 address that say which network it is in: whoever has one address has all of its /64. */
const NETWORK_BYTES = 8;

/** All that is no address counts as one network, so that nobody gets a new one by sending something else. */
const UNREADABLE = '?';

/** The network that an address belongs to, for the counts of failures: itself for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const bare = v4 ?? v6 ?? address;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare).toString();
  if (!ipaddr.IPv6.isValid(bare)) return UNREADABLE;
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex');
}
