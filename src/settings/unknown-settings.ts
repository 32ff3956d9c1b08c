import { nearest } from '../text/nearest.ts';

/** Prefixes of the service's groups of settings. Platforms use other prefixes themselves, such as DATABASE_. */
const OURS = /^(LDAP|FILES|NEWS|INSTITUTION|SIPROQUIM|CVR|CORS|TRUSTED|WEBHOOK)_/;

/** Kubernetes and Docker set such variables for other services. These may be called `ldap` or `files`. */
const OF_NEIGHBOURS = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const NEIGHBOUR_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** Settings of OpenLDAP's library. Some resemble ours. */
const OF_LIBLDAP = /^LDAP(URI|BASE|BINDDN|HOST|PORT|TIMEOUT|CONF|RC|NOINIT|(TLS|SASL|GSSAPI)_\w+)$/;

/** Names in `.env` for Node.js, its libraries, the command `admin:create` and Compose. */
const OF_OTHERS =
  /^(NODE|AWS|ADMIN|COMPOSE|DOCKER|SSL|OPENSSL|UV|LC)_|^(TZ|LANG|PATH|TMPDIR|(HTTP|HTTPS|NO|ALL)_PROXY)$/i;

/** Most wrong letters with which a process variable counts as a misspelt setting. Short names resemble many words. */
const tolerated = (name: string): number => (name.length < 6 ? 0 : name.length < 8 ? 1 : 2);

/**
 * Finds unknown settings, one line each. In `.env` every name must be known. The process environment also contains
 * other variables. There, a name is an error only if it has one of the service's prefixes, or resembles a setting that
 * is not set.
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv,
  inFile: readonly string[],
  settings: readonly string[],
): string[] {
  const known = settings.flatMap(name => [name, `${name}_FILE`]);
  const isForeign = (name: string): boolean =>
    OF_NEIGHBOURS.test(name) || OF_LIBLDAP.test(name) || NEIGHBOUR_ADDRESS.test(environment[name]!);
  const isMeantForUs = (name: string): boolean => {
    const meant = nearest(name, known, tolerated(name));
    return OURS.test(name) || (meant !== undefined && !environment[meant]);
  };
  return Object.keys(environment)
    .filter(name => environment[name] && !known.includes(name) && !isForeign(name))
    .filter(name => (inFile.includes(name) ? !OF_OTHERS.test(name) : isMeantForUs(name)))
    .map(name => {
      // Otherwise `_FILE` would be suggested for other words of four letters.
      const meant = nearest(name, /_F[A-Z]*$/i.test(name) ? known : settings);
      return `${name} is not a setting${meant ? `; did you mean ${meant}?` : ''}`;
    });
}
