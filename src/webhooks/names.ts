import { NODATA, NOTFOUND, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Gate } from '../runtime/gates.ts';

/** Finds the addresses of a host name, until `stop` aborts. */
export type Resolve = (name: string, stop: AbortSignal) => Promise<LookupAddress[]>;

/** Two tries with each nameserver, of which the second lasts twice as long. */
const PATIENCE = { timeout: 1_500, tries: 2 };

const HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32/drivers/etc/hosts')
    : '/etc/hosts';

/** `dns.lookup` occupies a thread of the process until it ends, and a look-up that is stopped goes on. */
const system = new Gate(1);

/**
 * Finds addresses in the order in which the system does: in its hosts file, then in the DNS. A nameserver that does not
 * answer keeps only those waiting who ask for its names. What the DNS does not have may still be a name of the local
 * network, so the system itself is asked, for one name at a time.
 * @throws the error of the last look-up, with the `code` of `node:dns`
 */
export async function systemNames(
  name: string,
  stop: AbortSignal,
  nameservers?: readonly string[],
): Promise<LookupAddress[]> {
  const listed = hostsIn(await readFile(HOSTS_FILE, 'utf8').catch(() => ''), name);
  if (listed.length > 0) return listed;
  return (await inDns(name, stop, nameservers)) ?? bySystem(name, stop);
}

function hostsIn(file: string, name: string): LookupAddress[] {
  const wanted = name.toLowerCase();
  return file.split('\n').flatMap(line => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some(one => one.toLowerCase() === wanted) ? [{ address, family }] : [];
  });
}

/** Undefined if the DNS has no such name. */
async function inDns(
  name: string,
  stop: AbortSignal,
  nameservers: readonly string[] | undefined,
): Promise<LookupAddress[] | undefined> {
  // Only the system knows how to complete such a name.
  if (!name.includes('.')) return undefined;
  // A new one reads the system's settings, which may have changed.
  const resolver = new Resolver(PATIENCE);
  if (nameservers) resolver.setServers(nameservers);
  const cancel = (): void => resolver.cancel();
  stop.addEventListener('abort', cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  stop.removeEventListener('abort', cancel);
  stop.throwIfAborted();
  const found = answers.flatMap((answer, i) =>
    answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family: i === 0 ? 6 : 4 })) : [],
  );
  if (found.length > 0) return found;
  for (const answer of answers)
    if (answer.status === 'rejected' && !isMissing(answer.reason)) throw answer.reason;
  return undefined;
}

const isMissing = ({ code }: NodeJS.ErrnoException): boolean => code === NODATA || code === NOTFOUND;

async function bySystem(name: string, stop: AbortSignal): Promise<LookupAddress[]> {
  if (!system.tryEnter() && !(await system.wait(stop))) throw stop.reason;
  const found = lookup(name, { all: true });
  // Not when it is stopped: its thread is occupied until it ends.
  found.finally(() => system.leave()).catch(() => undefined);
  return found;
}
