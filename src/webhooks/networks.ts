import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';

/** In Azure this public address belongs to the host of the machine, which hands out credentials. */
const WIRE_SERVER = '168.63.129.16';

/** The addresses that are routed on the internet. Excludes addresses of older standards, such as `fec0::/10`. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** The address is not public, or it is public and the URL has no TLS. */
export class NotReached extends Error {}

/** The destinations that deliveries may have: public addresses over TLS, and the networks that the operator allows. */
export class Networks {
  readonly #named = new BlockList();

  /** @param named addresses and ranges such as `10.0.0.0/8` */
  constructor(private readonly named: readonly string[]) {
    for (const network of named) {
      const [address = '', bits] = network.split('/');
      const family = familyOf(address);
      this.#named.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** Whether any address may be reached without TLS. */
  get areNamed(): boolean {
    return this.named.length > 0;
  }

  /** Whether a delivery may be sent to an address. */
  admit(address: string, isEncrypted: boolean): boolean {
    if (isIP(address) === 0) return false;
    const [bare = ''] = address.split('%');
    return this.#named.check(bare, familyOf(bare)) || (isEncrypted && isPublic(bare));
  }

  /**
   * A look-up function for a connection. It returns only permitted addresses, so the connection can go nowhere else. A
   * name that resolves to another address next time is checked again.
   */
  lookup(isEncrypted: boolean, resolve: (name: string) => Promise<LookupAddress[]>): LookupFunction {
    const admitted = callbackify(async (hostname: string) => {
      const [first, ...others] = (await resolve(hostname)).filter(one =>
        this.admit(one.address, isEncrypted),
      );
      if (!first) throw new NotReached();
      return [first, ...others] as const;
    });
    return (hostname, { all }, done) =>
      admitted(hostname, (error, addresses) => {
        if (error) done(error, '');
        else if (all) done(null, [...addresses]);
        else done(null, addresses[0].address, addresses[0].family);
      });
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return (
    parsed.range() === 'unicast' &&
    address !== WIRE_SERVER &&
    (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST))
  );
}
