import { nearest } from '../text/nearest.ts';

/** Names that begin as our groups of settings do. Platforms set variables of other groups, such as DATABASE_. */
const OURS = /^(LDAP|FILES|NEWS|INSTITUTION|CVR|CORS|TRUSTED)_/;

/** By such names Kubernetes and Docker tell a container of its neighbours, which may be called `ldap` or `files`. */
const OF_NEIGHBOURS = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const NEIGHBOUR_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** Settings of OpenLDAP's library. Some are spelled much as ours are. */
const OF_LIBLDAP = /^LDAP(URI|BASE|BINDDN|HOST|PORT|TIMEOUT|CONF|RC|NOINIT|(TLS|SASL|GSSAPI)_\w+)$/;

/** What may stand in `.env` for Node.js, its libraries, the command `admin:create` and Compose. */
const OF_OTHERS =
  /^(NODE|AWS|ADMIN|COMPOSE|DOCKER|SSL|OPENSSL|UV|LC)_|^(TZ|LANG|PATH|TMPDIR|(HTTP|HTTPS|NO|ALL)_PROXY)$/i;

/** How many letters may be wrong in a variable of the process for it to be refused. Short names resemble many words. */
const tolerated = (name: string): number => (name.length < 6 ? 0 : name.length < 8 ? 1 : 2);

/**
 * What is wrong with the names of an environment, a line each. In the file `.env` every name must be known. The process
 * has variables of others too, so there only those are refused that are meant for this service: they begin as our
 * settings do, or they nearly are one that is not set itself.
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
      const meant = nearest(name, known);
      return `${name} is no setting${meant ? `; ${meant} may be meant` : ''}`;
    });
}
